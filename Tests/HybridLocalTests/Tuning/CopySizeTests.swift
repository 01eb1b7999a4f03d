import HybridCore
import ModelFileCases
import Testing

@testable import HybridLocal

@Suite struct CopySizeTests {
  /// - Returns: without the header, the padding and the margin.
  private func size(
    _ format: WeightFormat, _ tensors: [GGUFWriter.Tensor]
  ) throws -> UInt64 {
    var writer = GGUFWriter.tinyModel()
    writer.tensors = tensors
    let contents = try GGUFContents(ModelBytes(writer.file()))
    return CopySize.bytes(of: format, for: contents) * 50 / 51 - contents.dataOffset
  }

  @Test(
    arguments: [
      ("blk.0.ffn_up.weight", [64, 32], WeightFormat.q8, 2_176),
      ("blk.0.ffn_up.weight", [64, 32], .q4, 1_152),
      ("blk.0.ffn_up.weight", [64, 32], .iq4nl, 1_152),
      ("blk.0.exps.weight", [64, 16, 2], .q4, 1_152),
      // The embedding takes more bits than the others.
      ("token_embd.weight", [64, 32], .q4, 2_176), ("output.weight", [64, 32], .iq4nl, 2_176),
      // Vectors, norms and what is no weight stay as they are: F32 here.
      ("blk.0.attn_norm.weight", [64, 32], .q4, 8_192),
      ("blk.0.ffn_up.weight", [2_048], .q4, 8_192),
      ("blk.0.ffn_up.bias", [64, 32], .q4, 8_192),
      // Rows that are no whole blocks become 16-bit numbers.
      ("blk.0.ffn_up.weight", [48, 32], .q8, 3_072),
    ] as [(String, [UInt64], WeightFormat, UInt64)])
  func `a tensor takes what the format and its place ask for`(
    name: String, dimensions: [UInt64], format: WeightFormat, bytes: UInt64
  ) throws {
    let found = try size(format, [.init(name: name, dimensions: dimensions)])
    // The rounding of the two per cent.
    #expect((bytes...(bytes + 2)).contains(found + 1), "\(found)")
  }

  @Test func `too little room is an error with both numbers`() throws {
    let disk = DiskSpace { _ in 999 }
    try disk.require(999, in: "/cache")
    try DiskSpace { _ in nil }.require(.max, in: "/cache")
    let error = try #require(throws: HybridError.self) { try disk.require(1_000, in: "/cache") }
    #expect(error.code == .insufficientDiskSpace)
    #expect(error.details["needed"] == 1_000 && error.details["available"] == 999)
    #expect(error.message.contains("1000 bytes in /cache, and 999"))
  }

  @Test func `the system tells the room of a folder`() {
    #expect((DiskSpace.real.available("/tmp") ?? 0) > 0)
    #expect(DiskSpace.real.available("/nowhere/at/all") == nil)
  }

  @Test func `files that differ anywhere but in a few bytes differ in their fingerprint`() throws {
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let plain = try ModelFingerprint.of(ModelBytes(bytes))
    #expect(try ModelFingerprint.of(ModelBytes(bytes)) == plain)
    #expect(try ModelFingerprint.of(ModelBytes(Array(bytes.dropLast()))) != plain)
    for place in [0, 1_500_000, 2_999_999 - 60_000] {
      var other = bytes
      for index in place..<(place + 60_000) { other[index] ^= 1 }
      #expect(try ModelFingerprint.of(ModelBytes(other)) != plain, "\(place)")
    }
    #expect(try ModelFingerprint.of(ModelBytes([1])) != ModelFingerprint.of(ModelBytes([2])))
  }
}

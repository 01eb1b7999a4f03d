import HybridLocal
import ModelFileCases
import Testing

@Suite struct MutantTests {
  @Test func `a thousand mutants are refused with a type or read, and never trap`() async {
    var refused = 0
    for seed in 0..<1_000 as Range<UInt64> {
      if seed % 50 == 0 { await Task.yield() }
      let source = Counted(GGUFWriter.mutant(seed: seed))
      do throws(ModelFileError) {
        _ = try GGUFHeader(source.bytes)
      } catch {
        refused += 1
      }
    }
    #expect((200..<1_000).contains(refused), "\(refused) refused")
  }

  /// Bytes that check that no read asks for more than a piece.
  struct Counted {
    let bytes: ModelBytes

    init(_ content: [UInt8]) {
      let plain = ModelBytes(content)
      bytes = ModelBytes(size: plain.size) { offset, count throws(ModelFileError) in
        #expect(count <= 4 << 20)
        #expect(UInt64(count) <= plain.size - offset || count == 512)
        return try plain.read(offset, count)
      }
    }
  }
}

import HybridTesting
import Testing

@testable import HybridLocal

@Suite struct SHA256Tests {
  private static func digest(_ bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return "\(hash.finish())"
  }

  /// The examples that NIST publishes for FIPS 180-4, and the text of nothing.
  static let vectors: [(text: String, digest: String)] = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
        + "lmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ]

  @Test(arguments: vectors)
  func `the published examples come out`(text: String, digest: String) {
    #expect(Self.digest(Array(text.utf8)) == digest)
  }

  @Test func `a million letters come out`() {
    #expect(
      Self.digest([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func `pieces of any length come to the same as the whole`() {
    var random = SeededGenerator(seed: 4)
    for count in [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 129, 1_000] {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      var hash = SHA256()
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...90, using: &random))
        hash.update(Array(piece))
        rest = rest.dropFirst(piece.count)
      }
      #expect("\(hash.finish())" == Self.digest(bytes), "\(count) bytes")
    }
  }

  @Test func `hexadecimal text is read in either case, and nothing else is`() throws {
    let text = Self.vectors[1].digest
    let digest = try #require(SHA256Digest(hex: text))
    #expect("\(digest)" == text)
    #expect(SHA256Digest(hex: text.uppercased()) == digest)
    for wrong in ["", "ba78", text + "0", String(text.dropLast()) + "g", "sha256:" + text] {
      #expect(SHA256Digest(hex: wrong) == nil, "\(wrong)")
    }
  }
}

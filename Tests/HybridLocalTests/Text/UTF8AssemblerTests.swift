import HybridLocal
import Testing

struct UTF8AssemblerTests {
  static let texts = [
    "", "plain", "é", "€", "🙂", "👩‍👩‍👧‍👦", "日本語", "مرحبا", "a\u{0301}", "\u{10FFFF}", "\u{0}", "🙂é€x",
  ]

  @Test(arguments: texts)
  func `text survives any cut between its bytes`(text: String) {
    let bytes = Array(text.utf8)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var assembler = UTF8Assembler()
        let pieces = [
          assembler.append(bytes[..<first]), assembler.append(bytes[first..<second]),
          assembler.append(bytes[second...]),
        ]
        #expect(pieces.joined() == text)
        #expect(pieces.allSatisfy { !$0.contains("\u{FFFD}") })
        #expect(assembler.finish() == "")
      }
    }
  }

  @Test func `an emoji in four tokens comes out whole with the last of them`() {
    var assembler = UTF8Assembler()
    let pieces = "🙂".utf8.map { assembler.append([$0]) }
    #expect(pieces == ["", "", "", "🙂"])
  }

  @Test func `a character that never became whole ends as a replacement`() {
    var assembler = UTF8Assembler()
    #expect(assembler.append([0x61, 0xF0, 0x9F, 0x99]) == "a")
    #expect(assembler.finish() == "\u{FFFD}")
    #expect(assembler.finish() == "")
  }

  /// The bytes, and what they read as when they come one by one.
  static let invalid: [([UInt8], String)] = [
    ([0x80], "\u{FFFD}"), ([0xC0, 0xAF], "\u{FFFD}\u{FFFD}"), ([0xF5], "\u{FFFD}"),
    ([0xE2, 0x82, 0x61], "\u{FFFD}a"), ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ([0xF0, 0x80, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
    ([0xF4, 0x90, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
    ([0xE0, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"), ([0xC3, 0xC3, 0xA9], "\u{FFFD}é"),
  ]

  @Test(arguments: invalid)
  func `bytes that are no character become replacements, however they come`(
    bytes: [UInt8], text: String
  ) {
    var assembler = UTF8Assembler()
    let byOne = bytes.map { assembler.append([$0]) }.joined() + assembler.finish()
    #expect(byOne == text)
    #expect(assembler.append(bytes) + assembler.finish() == text)
    #expect(String(decoding: bytes, as: UTF8.self) == text)
  }
}

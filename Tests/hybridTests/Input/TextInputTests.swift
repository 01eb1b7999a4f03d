import HybridCore
import Testing

@testable import hybrid

@Suite struct TextInputTests {
  @Test(arguments: ["", "Hi", "Grüße\n", "日本語", "👩‍👩‍👧", "a\u{0}b", "\u{FEFF}x", "\r\n"])
  func `text is taken as it is`(text: String) throws {
    let found = try TextInput.decode(Array(text.utf8), name: "stdin")
    #expect(Array(found.utf8) == Array(text.utf8))
  }

  @Test(
    arguments: [
      ([0xFF], 0), ([0x61, 0x62, 0xFF, 0x63], 2), ([0xC3, 0xA4, 0x80], 2),
      // Cut in the middle of a character.
      ([0x61, 0xE6, 0x97], 1),
      // Too long a form, half of a surrogate pair, and beyond the last code point.
      ([0x61, 0xC0, 0xAF], 1), ([0xED, 0xA0, 0x80], 0), ([0xF4, 0x90, 0x80, 0x80], 0),
    ] as [([UInt8], Int)])
  func `the first byte that is no text is named by its offset`(
    bytes: [UInt8], offset: Int
  ) throws {
    let error = try #require(throws: HybridError.self) {
      try TextInput.decode(bytes, name: "stdin")
    }
    #expect(error.code == .invalidText)
    #expect(error.details["byte"]?.int == offset)
    #expect(error.message.contains("byte \(offset)"))
  }
}

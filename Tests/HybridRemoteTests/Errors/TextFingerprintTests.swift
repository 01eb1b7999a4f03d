import Testing

@testable import HybridRemote

struct TextFingerprintTests {
  private func fingerprint(_ text: String) -> String {
    String(decoding: TextFingerprint(Array(text.utf8), keepsPlaces: false).bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("Line one,\nline \"two\"", "lineonelinetwo"), (#"Line one,\nline \"two\""#, "lineonelinetwo"),
    (#"Line one,\\nline \\\"two\\\""#, "lineonelinetwo"),
    ("LINE ONE, line &quot;two&quot;", "lineonelinetwo"), ("café", "café"),
    (#"caf\u00e9"#, "café"), (#"caf\\u00E9"#, "café"), ("caf&#233;", "café"),
    ("CAFÉ ЖАР", "caféжар"), ("日本 語", "日本語"),
    ("caf&#xe9;", "café"), (#"\ud83d\ude00x"#, "😀x"), (#"\\ud83d\\ude00x"#, "😀x"),
    // Halves and what is cut off are passed over; nothing runs past the end.
    (#"\ud83dx"#, "x"), (#"a\u00"#, "au00"), ("a\\", "a"), ("a&", "a"), ("a&quot", "aquot"),
    ("a&#99999999;b", "a99999999b"), ("", ""), (#"\u003c\u0041"#, "a"),
  ])
  func `the same words are the same`(text: String, result: String) {
    #expect(fingerprint(text) == result)
  }

  @Test func `bytes that are no characters stay themselves`() {
    let bytes: [UInt8] = [0xc3, 0x41, 0xff, 0xe2, 0x82]
    #expect(
      TextFingerprint(bytes, keepsPlaces: false).bytes == [0xc3, 0x61, 0xff, 0xe2, 0x82])
  }

  @Test func `each byte knows where it comes from`() {
    let text = TextFingerprint(Array(#"a \u00e9&lt;B"#.utf8), keepsPlaces: true)
    #expect(text.places == [0..<1, 2..<8, 2..<8, 12..<13])
  }
}

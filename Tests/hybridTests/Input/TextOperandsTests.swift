import Testing

@testable import hybrid

struct TextOperandsTests {
  @Test(
    arguments: [
      ("", []), ("one", ["one"]), ("one\n", ["one"]), ("one\ntwo", ["one", "two"]),
      ("one\r\ntwo\r\n", ["one", "two"]),
      // An empty line keeps its place, so that a line's number is the text's.
      ("one\n\ntwo\n", ["one", "", "two"]), ("\n", [""]), ("a\rb\n", ["a\rb"]),
      (" Grüße \n日本語\n", [" Grüße ", "日本語"]),
    ] as [(String, [String])])
  func `each line is a text without its end`(text: String, lines: [String]) {
    #expect(TextOperands.lines(of: text) == lines)
  }
}

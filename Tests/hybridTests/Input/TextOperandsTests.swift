import HybridCore
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

  @Test func `an empty line is an error that names it, unless blank lines are left out`() throws {
    let text = "one\n\ntwo\n \t\n\r\nthree\n"
    let error = try #require(throws: HybridError.self) {
      try TextOperands.of(text, skipsBlank: false)
    }
    #expect(error.code == .invalidRequest)
    #expect(error.message == "line 2 of stdin is empty, and so are 1 more")
    #expect(error.details["line"]?.int == 2)
    #expect(error.nextStep?.contains("--skip-blank") == true)
    #expect(
      try TextOperands.of(text, skipsBlank: true)
        == TextOperands(texts: ["one", "two", "three"], lines: [1, 3, 6], skipped: [2, 4, 5]))
    #expect(
      try TextOperands.of("a\n b \n", skipsBlank: false)
        == TextOperands(texts: ["a", " b "], lines: [1, 2], skipped: []))
  }

  @Test func `an error over a text of stdin has its line`() throws {
    let lines = TextOperands(texts: ["a", "b"], lines: [1, 3], skipped: [2])
    let error = HybridError(.contextTooLong, "too long", details: ["index": 1])
    #expect(lines.located(error).details["line"]?.int == 3)
    #expect(lines.located(error).message == "too long (line 3 of stdin)")
    let operands = TextOperands(texts: ["a", "b"], lines: [], skipped: [])
    #expect(operands.located(error).details["line"] == nil)
  }
}

import Testing

@testable import hybrid

@Suite struct TerminalTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("Grüße 日本 👩‍👩‍👧 שלום", "Grüße 日本 👩‍👩‍👧 שלום"), ("a\n\tb", "a\n\tb"),
    ("\u{1B}[2J", "␛[2J"), ("\u{0}\u{7}\r", "␀␇␍"), ("\u{7F}", "␡"), ("\u{9B}1m", "\u{FFFD}1m"),
    ("x\r\n", "x␍\n"),
  ])
  func `control characters become pictures`(text: String, shown: String) {
    #expect(TerminalText.harmless(text) == shown)
  }

  @Test func `on one line, line ends become pictures too`() {
    #expect(TerminalText.harmless("a\n\tb", keepsLines: false) == "a␊␉b")
  }
}

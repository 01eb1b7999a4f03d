import HybridCore
import HybridLocal
import Testing

/// When a token of an answer is told.
struct UntoldTokensTests {
  private func token(_ bytes: [UInt8]) -> TokenLogProb {
    TokenLogProb(
      text: String(decoding: bytes, as: UTF8.self), bytes: bytes, token: nil, logProb: -1)
  }

  private func texts(_ tokens: [TokenLogProb]) -> [String] { tokens.map(\.text) }

  @Test func `a token is told with the end of its text`() {
    var untold = UntoldTokens()
    untold.append(token(Array("one".utf8)))
    #expect(texts(untold.handedOut("on")) == [])
    #expect(texts(untold.handedOut("e")) == ["one"])
    untold.append(token(Array("two".utf8)))
    untold.append(token(Array("three".utf8)))
    #expect(texts(untold.handedOut("twothree")) == ["two", "three"])
    #expect(untold.finish() == [])
  }

  @Test func `what a stop string cuts or withholds is never told`() {
    var untold = UntoldTokens()
    untold.append(token(Array("go on".utf8)))
    untold.append(token(Array(". END".utf8)))
    untold.append(token(Array(" now".utf8)))
    #expect(texts(untold.handedOut("go on.")) == ["go on"])
    #expect(untold.finish() == [])
  }

  @Test func `what is no part of the answer is never told`() {
    var untold = UntoldTokens()
    for text in ["<th", "ink>so</think>", "\n Y", "es", "."] {
      untold.append(token(Array(text.utf8)))
    }
    untold.passOver(19)
    // The third holds white space that belongs to neither.
    #expect(texts(untold.handedOut("Yes")) == ["es"])
    #expect(texts(untold.handedOut(".")) == ["."])
    untold.passOver(0)
    #expect(untold.finish() == [])
  }

  @Test func `a mark that is a control token counts with its text`() {
    var untold = UntoldTokens()
    untold.append(token([]), bytes: Array("[THINK]".utf8))
    untold.append(token(Array("so".utf8)))
    untold.append(token([]), bytes: Array("[/THINK]".utf8))
    untold.passOver(17)
    untold.append(token(Array("Yes".utf8)))
    untold.append(token(Array(".".utf8)))
    #expect(texts(untold.handedOut("Yes")) == ["Yes"])
    #expect(texts(untold.handedOut(".")) == ["."])
  }

  @Test func `half a character waits for the other half`() {
    let fox = Array("🦊".utf8)
    var untold = UntoldTokens()
    untold.append(token(Array("a".utf8) + fox[..<1]))
    #expect(untold.handedOut("a") == [])
    untold.append(token(Array(fox[1..<3])))
    #expect(untold.handedOut("") == [])
    untold.append(token(Array(fox[3...])))
    #expect(untold.handedOut("🦊").count == 3)
  }

  @Test func `half a character at the end is told with the sign that stands for it`() {
    var untold = UntoldTokens()
    untold.append(token([0xF0, 0x9F]))
    #expect(untold.handedOut("\u{FFFD}") == [])
    #expect(untold.finish().count == 1)
  }

  @Test func `bytes that are no character count as the sign that stands for them`() {
    var untold = UntoldTokens()
    untold.append(token([0xFF]))
    untold.append(token(Array("b".utf8)))
    #expect(untold.handedOut("\u{FFFD}").count == 1)
    #expect(texts(untold.handedOut("b")) == ["b"])
  }

  @Test func `a token without any text is told where it stands`() {
    var untold = UntoldTokens()
    untold.append(token(Array("a".utf8)))
    untold.append(token([]))
    #expect(texts(untold.handedOut("a")) == ["a", ""])
  }
}

package import HybridCore

/// Tokens of an answer that wait for their text to be handed out.
///
/// A token is told once all of its text belongs to the answer: so one that holds half a character
/// waits for the other half, and one that a stop string cuts is never told. The bytes of those told
/// are always a beginning of the answer, which begins after the reasoning.
package struct UntoldTokens: Sendable {
  private struct Waiting: Sendable {
    let token: TokenLogProb
    /// Where its text begins.
    let start: Int
    /// Where its bytes end among those of all tokens.
    let rawEnd: Int
    /// Where its text ends in the answer; nil while its last character is not whole.
    var end: Int?
  }

  private var waiting: [Waiting] = []
  private var assembler = UTF8Assembler()
  private var rawCount = 0
  private var assembled = 0
  private var handedOut = 0

  package init() {}

  /// The answer's next token, with its bytes; not one that ends it.
  ///
  /// - Parameter bytes: what it is in the output; nil: its own. A control token that marks reasoning has
  ///   none of its own.
  package mutating func append(_ token: TokenLogProb, bytes: [UInt8]? = nil) {
    let bytes = bytes ?? token.bytes ?? []
    let start = assembled
    rawCount += bytes.count
    assembled += assembler.append(bytes).utf8.count
    waiting.append(Waiting(token: token, start: start, rawEnd: rawCount))
    settle(upTo: rawCount - assembler.heldCount)
  }

  /// This much more of the answer has been handed out.
  ///
  /// - Returns: the tokens that may now be told.
  package mutating func handedOut(_ text: String) -> [TokenLogProb] {
    handedOut += text.utf8.count
    let told = waiting.prefix { $0.end.map { $0 <= handedOut } ?? false }
    waiting.removeFirst(told.count)
    return told.map(\.token)
  }

  /// So many further bytes are not of the answer: a token with any of them is never told.
  package mutating func passOver(_ count: Int) {
    handedOut += count
    if count > 0 { waiting.removeAll { $0.start < handedOut } }
  }

  /// The answer has ended, and all of it has been handed out.
  ///
  /// - Returns: the tokens that end it in the middle of a character.
  package mutating func finish() -> [TokenLogProb] {
    assembled += assembler.finish().utf8.count
    settle(upTo: rawCount)
    return handedOut("")
  }

  private mutating func settle(upTo rawEnd: Int) {
    for place in waiting.indices.reversed() {
      if waiting[place].end != nil { break }
      if waiting[place].rawEnd <= rawEnd { waiting[place].end = assembled }
    }
  }
}

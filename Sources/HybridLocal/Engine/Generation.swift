package import HybridCore

/// The text of one answer in the making: what may be handed out, and when to end.
///
/// Knows nothing of llama.cpp and of the time. Each chosen token is reported; what comes back is
/// whole characters, nothing of a stop string, and the end once it has come.
package struct Generation: Sendable {
  package struct Progress: Sendable, Hashable {
    /// What may now be handed out; may be empty.
    package var text: String
    /// nil: the token is to be computed, and another one chosen.
    package var finish: FinishReason?
  }

  package let promptCount: Int
  /// Tokens that the sequence may hold.
  package let contextLength: Int
  package let maxTokens: Int?

  /// Tokens generated, the one that ended the answer included.
  package private(set) var generated = 0

  private var assembler = UTF8Assembler()
  private var matcher: StopMatcher

  /// - Parameter promptCount: at least 1 and below `contextLength`.
  package init(
    promptCount: Int, contextLength: Int, maxTokens: Int? = nil, stop: [String] = []
  ) {
    self.promptCount = promptCount
    self.contextLength = contextLength
    self.maxTokens = maxTokens
    matcher = StopMatcher(stop)
  }

  /// A token was chosen.
  ///
  /// - Parameters:
  ///   - piece: its bytes.
  ///   - endsGeneration: true for the model's end of text or of turn.
  package mutating func sampled(piece: [UInt8], endsGeneration: Bool) -> Progress {
    generated += 1
    if endsGeneration { return Progress(text: rest(), finish: .stop) }
    switch matcher.append(assembler.append(piece)) {
    case .stopped(let text):
      return Progress(text: text, finish: .stop)
    case .text(let text):
      if let maxTokens, generated >= maxTokens {
        return Progress(text: text + rest(), finish: .length)
      }
      // The tokens in memory and this one, which would be computed next.
      if promptCount + generated - 1 >= contextLength {
        return Progress(text: text + rest(), finish: .contextFull)
      }
      return Progress(text: text, finish: nil)
    }
  }

  /// Tokens that may yet be generated.
  package var room: Int {
    max(0, min(contextLength - promptCount, maxTokens ?? .max) - generated)
  }

  /// The text still held back, when there will be no more: it is text after all.
  package mutating func rest() -> String {
    switch matcher.append(assembler.finish()) {
    case .stopped(let text): text
    case .text(let text): text + matcher.finish()
    }
  }
}

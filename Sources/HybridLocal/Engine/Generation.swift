package import HybridCore

/// One answer in the making, as decisions: what to compute next, what to hand out, when to end.
///
/// Knows nothing of llama.cpp and of the time. The engine asks ``step``, does it, and reports what
/// came of it.
package struct Generation: Sendable {
  package enum Step: Sendable, Hashable {
    /// Compute these tokens of the prompt; the last chunk asks for logits.
    case prefill(Range<Int>, wantsLogits: Bool)
    /// Choose a token from the logits and report it.
    case sample
    /// Compute this token at this position, with logits.
    case decode(Token, position: Int)
    case finish(FinishReason)
    /// The answer cannot go on. What was handed out is not a whole answer.
    case fail(Failure)
  }

  package enum Failure: Sendable, Hashable {
    /// What a decode came to.
    case decode(DecodeOutcome)
    /// The logits are no numbers.
    case noToken
  }

  package let promptCount: Int
  /// Tokens that the sequence may hold.
  package let contextLength: Int
  package let maxTokens: Int?

  /// Tokens of the prompt in memory.
  package private(set) var processed = 0
  /// Tokens generated, the one that ended the answer included.
  package private(set) var generated = 0
  package private(set) var step: Step

  private var chunk: Int
  private var assembler = UTF8Assembler()
  private var matcher: StopMatcher

  /// - Parameters:
  ///   - promptCount: at least 1 and below `contextLength`.
  ///   - chunk: the most prompt tokens to compute at once.
  package init(
    promptCount: Int, contextLength: Int, chunk: Int, maxTokens: Int? = nil, stop: [String] = []
  ) {
    self.promptCount = promptCount
    self.contextLength = contextLength
    self.chunk = max(1, chunk)
    self.maxTokens = maxTokens
    matcher = StopMatcher(stop)
    step = .sample
    step = nextChunk
  }

  private var nextChunk: Step {
    let end = min(promptCount, processed + chunk)
    return .prefill(processed..<end, wantsLogits: end == promptCount)
  }

  /// The last prefill or decode came to this.
  package mutating func decoded(_ outcome: DecodeOutcome) {
    switch (step, outcome) {
    case (.prefill(let range, let wantsLogits), .done):
      processed = range.upperBound
      step = wantsLogits ? .sample : nextChunk
    case (.decode, .done):
      step = .sample
    case (.prefill(let range, _), .noRoom) where range.count > 1:
      chunk = range.count / 2
      step = nextChunk
    case (.decode, .noRoom):
      step = .finish(.contextFull)
    default:
      step = .fail(.decode(outcome))
    }
  }

  /// The sampler chose this token.
  ///
  /// - Parameters:
  ///   - piece: its bytes.
  ///   - endsGeneration: true for the model's end of text or of turn.
  /// - Returns: the text that may now be handed out; may be empty.
  package mutating func sampled(
    _ token: Token?, piece: [UInt8], endsGeneration: Bool
  ) -> String {
    guard let token else {
      step = .fail(.noToken)
      return ""
    }
    generated += 1
    if endsGeneration {
      step = .finish(.stop)
      return rest()
    }
    switch matcher.append(assembler.append(piece)) {
    case .stopped(let text):
      step = .finish(.stop)
      return text
    case .text(let text):
      // The tokens in memory and this one, which would be computed next.
      let position = promptCount + generated - 1
      if let maxTokens, generated >= maxTokens {
        step = .finish(.length)
      } else if position >= contextLength {
        step = .finish(.contextFull)
      } else {
        step = .decode(token, position: position)
        return text
      }
      return text + rest()
    }
  }

  /// The caller wants no more. What was held back is text after all.
  package mutating func cancelled() -> String {
    step = .finish(.cancelled)
    return rest()
  }

  /// The text still held back, when there will be no more.
  private mutating func rest() -> String {
    switch matcher.append(assembler.finish()) {
    case .stopped(let text): text
    case .text(let text): text + matcher.finish()
    }
  }
}

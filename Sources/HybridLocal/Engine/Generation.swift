package import HybridCore

/// The text of one answer in the making: what may be handed out, and when to end.
///
/// Knows nothing of llama.cpp and of the time. Each chosen token is reported; what comes back is
/// whole characters, nothing of a stop string, and the end once it has come.
package struct Generation: Sendable {
  package struct Progress: Sendable, Hashable {
    /// What may now be handed out, reasoning first; may be empty.
    package var reasoning = ""
    package var text = ""
    /// Bytes of the tokens so far that are not of the answer, before the text.
    package var passedOver = 0
    /// nil: the token is to be computed, and another one chosen.
    package var finish: FinishReason?

    fileprivate mutating func add(_ output: ReasoningSplitter.Output, _ text: String) {
      reasoning += output.reasoning
      passedOver += output.passedOver
      self.text += text
    }
  }

  package let promptCount: Int
  /// Tokens that the sequence may hold.
  package let contextLength: Int
  package let maxTokens: Int?

  /// Tokens generated, the one that ended the answer included.
  package private(set) var generated = 0

  private var assembler = UTF8Assembler()
  private var splitter: ReasoningSplitter
  private var matcher: StopMatcher

  /// - Parameters:
  ///   - promptCount: at least 1 and below `contextLength`.
  ///   - stop: strings that end the answer; the reasoning may hold them.
  package init(
    promptCount: Int, contextLength: Int, maxTokens: Int? = nil, stop: [String] = [],
    reasoning: ReasoningUse? = nil
  ) {
    self.promptCount = promptCount
    self.contextLength = contextLength
    self.maxTokens = maxTokens
    splitter = ReasoningSplitter(reasoning)
    matcher = StopMatcher(stop)
  }

  /// A token was chosen.
  ///
  /// - Parameters:
  ///   - piece: its bytes.
  ///   - endsGeneration: true for the model's end of text or of turn.
  package mutating func sampled(piece: [UInt8], endsGeneration: Bool) -> Progress {
    generated += 1
    if endsGeneration {
      var progress = rest()
      progress.finish = .stop
      return progress
    }
    var progress = Progress()
    if addCertain(splitter.append(assembler.append(piece)), to: &progress) {
      progress.finish = .stop
    } else if let maxTokens, generated >= maxTokens {
      progress.finish = .length
    } else if promptCount + generated - 1 >= contextLength {
      // The tokens in memory and this one, which would be computed next.
      progress.finish = .contextFull
    }
    if let finish = progress.finish, finish != .stop { addRest(to: &progress) }
    return progress
  }

  /// Tokens that may yet be generated.
  package var room: Int {
    max(0, min(contextLength - promptCount, maxTokens ?? .max) - generated)
  }

  /// What is still held back, when there will be no more: it is output after all.
  package mutating func rest() -> Progress {
    var progress = Progress()
    addRest(to: &progress)
    return progress
  }

  private mutating func addRest(to progress: inout Progress) {
    if addCertain(splitter.append(assembler.finish()), to: &progress) { return }
    if addCertain(splitter.finish(), to: &progress) { return }
    progress.text += matcher.finish()
  }

  /// - Returns: true where a stop string ends the answer.
  private mutating func addCertain(
    _ output: ReasoningSplitter.Output, to progress: inout Progress
  ) -> Bool {
    switch matcher.append(output.text) {
    case .stopped(let text):
      progress.add(output, text)
      return true
    case .text(let text):
      progress.add(output, text)
      return false
    }
  }
}

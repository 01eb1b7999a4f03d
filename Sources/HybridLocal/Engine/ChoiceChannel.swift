package import HybridCore
private import Synchronization

/// The way out of the engine for one request: what its choices yield, merged, and one end.
///
/// Each choice is a job of its own in the engine. The request ends well when all have, and with the
/// first error that one of them meets; the others are stopped then.
package final class ChoiceChannel: Sendable {
  private struct State {
    var completions: [Completion?]
    var hasEnded = false
    /// Of the first choice.
    var text = ""
    var hasOutput = false
  }

  package let events: EventChannel<ExecutorEvent>
  package let accepted = OneShot<Void>()
  private let choices: Int
  private let state: Mutex<State>
  private let stop: @Sendable () -> Void
  private let onEnd: @Sendable (ErrorCode?) -> Void

  /// - Parameters:
  ///   - stop: cancels all choices; those that have ended do not mind.
  ///   - onEnd: told once how the request ended, nil for well, before the events end.
  package init(
    choices: Int = 1, stop: @escaping @Sendable () -> Void,
    onEnd: @escaping @Sendable (ErrorCode?) -> Void
  ) {
    self.choices = choices
    self.stop = stop
    self.onEnd = onEnd
    state = Mutex(State(completions: Array(repeating: nil, count: choices)))
    // Unbounded: an answer is bounded by its context.
    events = EventChannel(onCancel: stop)
  }

  func handOut(_ piece: OutputPiece, of choice: Int) -> Bool {
    if choices > 1 { note(piece, of: choice) }
    return events.send(ExecutorEvent(piece, of: choice)) != .closed
  }

  /// What an error will have to tell. A job with the only choice knows that by itself.
  private func note(_ piece: OutputPiece, of choice: Int) {
    state.withLock { state in
      state.hasOutput = true
      if choice == 0, case .text(let text) = piece { state.text += text }
    }
  }

  func finish(_ completion: Completion, of choice: Int) {
    let whole = state.withLock { state -> Completion? in
      guard !state.hasEnded else { return nil }
      state.completions[choice] = completion
      let ended = state.completions.compactMap { $0 }
      guard ended.count == choices else { return nil }
      state.hasEnded = true
      return Completion(merging: ended)
    }
    guard let whole else { return }
    onEnd(whole.isCancelled ? .cancelled : nil)
    accepted.set(.success(()))
    events.send(.finished(whole))
    events.finish()
  }

  func fail(_ error: HybridError, first: () -> Void) {
    let told = state.withLock { state -> HybridError? in
      guard !state.hasEnded else { return nil }
      state.hasEnded = true
      var error = error
      if choices > 1 {
        error.committed = state.hasOutput
        error.partialText = state.text.isEmpty ? nil : state.text
      }
      return error
    }
    first()
    guard let told else { return }
    onEnd(told.code)
    accepted.set(.failure(told))
    events.finish(throwing: told)
    if choices > 1 { stop() }
  }
}

extension Completion {
  /// One for all choices of a request: their tokens added up, those of the prompt counted once, and
  /// the times from the first beginning to the last end.
  ///
  /// - Parameter choices: in order, at least one.
  init(merging choices: [Completion]) {
    self = choices[0]
    guard choices.count > 1 else { return }
    otherFinishReasons = choices.dropFirst().map(\.finishReason)
    // Those that were stopped before they began have no prompt.
    let begun = choices.compactMap(\.usage).filter { $0.promptTokens != 0 }
    usage = Usage(
      promptTokens: begun.first?.promptTokens ?? 0,
      // What a later one finds in the cache is what an earlier one has computed for it.
      cachedTokens: begun.compactMap(\.cachedTokens).min() ?? 0,
      completionTokens: begun.reduce(0) { $0 + ($1.completionTokens ?? 0) }, counted: true)
    timings = Timings(merging: choices.map(\.timings))
  }
}

extension Timings {
  fileprivate init(merging choices: [Timings]) {
    let first = choices.min { $0.begin < $1.begin } ?? Timings()
    self = first
    let end = choices.compactMap(\.lastSample).max()
    decode = end.flatMap { end in first.firstSample.map { max(.zero, end - $0) } }
    firstToken = choices.compactMap(\.firstToken).min()
    total = choices.compactMap(\.total).max()
    throttled = choices.compactMap(\.throttled).max()
    cpuPressure = choices.compactMap(\.cpuPressure).max()
  }

  // All of them count from the request.
  private var begin: Duration { (queue ?? .zero) + (load ?? .zero) }
  private var firstSample: Duration? { prefill.map { begin + $0 } }
  private var lastSample: Duration? {
    firstSample.flatMap { sample in decode.map { sample + $0 } }
  }
}

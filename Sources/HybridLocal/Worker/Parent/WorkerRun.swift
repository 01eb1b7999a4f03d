import HybridCore
private import Synchronization

/// A request that a worker answers, on the parent's side: what came of it, for its one reader.
final class WorkerRun: Sendable {
  /// An event, and the bytes that it took.
  struct Piece: Sendable {
    let event: ExecutorEvent
    let bytes: Int
  }

  private struct State {
    var hasOutput = false
    /// Of the first choice.
    var text = ""
    /// Whether its end was told.
    var isTold = false
  }

  let accepted = OneShot<Void>()
  let events: EventChannel<Piece>
  private let state = Mutex(State())
  /// When it must have ended, whatever the worker says.
  let end: Moment?
  private let onEnd: @Sendable (ErrorCode?) -> Void

  /// - Parameters:
  ///   - onCancel: its reader's task was cancelled.
  ///   - onEnd: told once how it ended, nil for well.
  init(
    end: Moment?, onCancel: @escaping @Sendable () -> Void,
    onEnd: @escaping @Sendable (ErrorCode?) -> Void
  ) {
    self.end = end
    // Bounded by what the book lets come.
    events = EventChannel(onCancel: onCancel)
    self.onEnd = onEnd
  }

  func handOut(_ event: ExecutorEvent, bytes: Int) {
    if case .finished(let completion) = event {
      tell(completion.isCancelled ? .cancelled : nil)
      accepted.set(.success(()))
      events.send(Piece(event: event, bytes: bytes))
      events.finish()
      return
    }
    state.withLock { state in
      state.hasOutput = true
      if case .text(let text) = event { state.text += text }
    }
    events.send(Piece(event: event, bytes: bytes))
  }

  /// The engine has done with it.
  func tell(_ code: ErrorCode?) {
    let isFirst = state.withLock { state in
      defer { state.isTold = true }
      return !state.isTold
    }
    if isFirst { onEnd(code) }
  }

  /// What had come before stays readable, and goes into the error.
  func fail(_ error: HybridError) {
    var error = error
    state.withLock { state in
      error.committed = state.hasOutput
      error.partialText = state.text.isEmpty ? nil : state.text
    }
    tell(error.code)
    accepted.set(.failure(error))
    events.finish(throwing: error)
  }
}

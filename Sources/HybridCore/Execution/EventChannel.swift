private import Synchronization

/// A queue from one producing thread to one consuming task, with back-pressure by signal.
///
/// The producer never blocks: `send` always accepts and says when the buffer is full; the producer
/// then pauses its source until `onResume` is called. The consumer is woken once per arrival.
package final class EventChannel<Element: Sendable>: Sendable {
  package enum SendResult: Sendable, Hashable {
    case more
    /// Accepted; send nothing further until `onResume`.
    case full
    /// The consumer has gone: stop.
    case closed
  }

  private typealias Waiter = CheckedContinuation<Result<Element?, HybridError>, Never>

  private struct State {
    var buffer: [Element] = []
    var head = 0
    var end: Result<Void, HybridError>?
    var isConsumerGone = false
    var isPaused = false
    var waiter: Waiter?

    mutating func pop() -> Element? {
      guard head < buffer.count else { return nil }
      let element = buffer[head]
      head += 1
      if head == buffer.count {
        buffer.removeAll(keepingCapacity: true)
        head = 0
      }
      return element
    }

    var count: Int { buffer.count - head }
  }

  private let state = Mutex(State())
  private let capacity: Int
  private let onResume: @Sendable () -> Void
  private let onCancel: @Sendable () -> Void

  /// - Parameters:
  ///   - capacity: events buffered before `send` says `full`.
  ///   - onResume: called when a full buffer has been drained; must not block.
  ///   - onCancel: called when the consuming task is cancelled; must not block.
  package init(
    capacity: Int = .max, onResume: @escaping @Sendable () -> Void = {},
    onCancel: @escaping @Sendable () -> Void
  ) {
    self.capacity = capacity
    self.onResume = onResume
    self.onCancel = onCancel
  }

  @discardableResult
  package func send(_ element: Element) -> SendResult {
    let (waiter, result) = state.withLock { state in
      guard !state.isConsumerGone, state.end == nil else {
        return (
          nil as Waiter?, SendResult.closed
        )
      }
      if let waiter = state.waiter {
        state.waiter = nil
        return (waiter, .more)
      }
      state.buffer.append(element)
      if state.count >= capacity { state.isPaused = true }
      return (nil, state.isPaused ? .full : .more)
    }
    waiter?.resume(returning: .success(element))
    return result
  }

  /// Ends the events: after what is buffered, the consumer gets nil or the error. Later calls do
  /// nothing.
  package func finish(throwing error: HybridError? = nil) {
    let waiter = state.withLock { state in
      guard state.end == nil else {
        return nil as Waiter?
      }
      state.end = error.map { .failure($0) } ?? .success(())
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: error.map { .failure($0) } ?? .success(nil))
  }

  /// The next event, or nil at the end.
  ///
  /// - Throws: the producer's error once the buffer is empty; `cancelled` when the task is cancelled;
  ///   `invalidRequest` while another task waits.
  package func next() async throws(HybridError) -> Element? {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (immediate, resumes) = state.withLock { state in
          if state.isConsumerGone {
            return (.failure(.cancelledByTask) as Result<Element?, HybridError>?, false)
          }
          if let element = state.pop() {
            let resumes = state.isPaused && state.count <= capacity / 2
            if resumes { state.isPaused = false }
            return (.success(element), resumes)
          }
          if let end = state.end { return (end.map { nil }, false) }
          if state.waiter != nil { return (.failure(.secondConsumer), false) }
          state.waiter = continuation
          return (nil, false)
        }
        if let immediate { continuation.resume(returning: immediate) }
        if resumes { onResume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.isConsumerGone = true
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume(returning: .failure(.cancelledByTask))
      onCancel()
    }
    return try result.get()
  }
}

extension HybridError {
  fileprivate static var secondConsumer: HybridError {
    HybridError(
      .invalidRequest, "two consumers read one answer", nextStep: "Read it in one place")
  }

  /// The caller's task was cancelled.
  package static var cancelledByTask: HybridError {
    HybridError(.cancelled, "the caller cancelled the request")
  }
}

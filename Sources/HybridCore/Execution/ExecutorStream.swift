/// A run's events, pulled one at a time by one consumer.
///
/// Dropping the stream cancels the run; so does cancelling the task that iterates, and then the
/// iteration throws `cancelled`. ``cancel()`` asks for an orderly stop: what was generated so far still
/// comes out, and the run ends with the finish reason `cancelled`.
public struct ExecutorStream: AsyncSequence, Sendable {
  public typealias Element = ExecutorEvent
  public typealias Failure = HybridError

  private let run: Run

  /// - Parameters:
  ///   - next: the next event, nil after the last. Asked again only after it returned.
  ///   - cancel: stops the run; may be called at any time, from any thread, more than once.
  public init(
    next: @escaping @Sendable () async throws(HybridError) -> ExecutorEvent?,
    cancel: @escaping @Sendable () -> Void
  ) {
    run = Run(next: next, cancel: cancel)
  }

  public func cancel() {
    run.cancel()
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(run: run)
  }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let run: Run

    public func next(isolation: isolated (any Actor)? = #isolation) async throws(HybridError)
      -> ExecutorEvent?
    {
      try await run.next()
    }
  }

  /// Shared by the stream and its iterators; the last one to go ends the run.
  fileprivate final class Run: Sendable {
    let next: @Sendable () async throws(HybridError) -> ExecutorEvent?
    let cancel: @Sendable () -> Void

    init(
      next: @escaping @Sendable () async throws(HybridError) -> ExecutorEvent?,
      cancel: @escaping @Sendable () -> Void
    ) {
      self.next = next
      self.cancel = cancel
    }

    deinit {
      cancel()
    }
  }
}

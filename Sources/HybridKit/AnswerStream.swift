public import HybridCore
public import HybridRouting

/// An answer as it comes, for one reader.
///
/// The request runs while the stream is iterated and stops when the iterator goes or its task is
/// cancelled; then the iteration throws `cancelled` with the text so far.
public struct AnswerStream: AsyncSequence, Sendable {
  public typealias Element = AnswerEvent
  public typealias Failure = HybridError

  private let makeRun: @Sendable () -> AnswerRun
  private let control: RunControl

  /// The decision, known before anything runs.
  public let plan: RoutingPlan

  init(plan: RoutingPlan, control: RunControl, makeRun: @escaping @Sendable () -> AnswerRun) {
    self.plan = plan
    self.control = control
    self.makeRun = makeRun
  }

  /// Stops the answer in good order, from any thread: the stream ends with ``AnswerEvent/done(_:)``,
  /// which has the text so far and the finish reason `cancelled`. A side that fails while it is being
  /// stopped still throws.
  public func cancel() {
    control.cancel()
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(run: makeRun())
  }

  public struct Iterator: AsyncIteratorProtocol {
    var run: AnswerRun

    public mutating func next(isolation: isolated (any Actor)? = #isolation)
      async throws(HybridError) -> AnswerEvent?
    {
      try await run.next()
    }
  }
}

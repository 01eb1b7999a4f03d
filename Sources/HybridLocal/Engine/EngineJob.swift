package import HybridCore

/// What the engine is asked to generate: tokens in, a few limits, everything checked beforehand.
package struct EngineRequest: Sendable {
  /// At least one, and fewer than the context holds.
  package var prompt: [Token]
  package var sampler: SamplerSettings
  package var maxTokens: Int?
  package var stop: [String]
  package var deadline: Moment?
  /// Which failures of the run are the engine's own.
  package var failures: FailureTable
  /// When the request reached the executor: timings count from here.
  package var received: Moment

  package init(
    prompt: [Token], sampler: SamplerSettings, maxTokens: Int? = nil, stop: [String] = [],
    deadline: Moment? = nil, failures: FailureTable = .standard, received: Moment
  ) {
    self.prompt = prompt
    self.sampler = sampler
    self.maxTokens = maxTokens
    self.stop = stop
    self.deadline = deadline
    self.failures = failures
    self.received = received
  }
}

/// A request inside the engine, with the way out for what it yields.
package final class EngineJob: Sendable {
  package let id: RequestID
  package let request: EngineRequest
  package let events: EventChannel<ExecutorEvent>
  /// Set once the model is loaded, or when the request ended before.
  package let accepted = OneShot<Void>()
  private let onEnd: @Sendable (ErrorCode?) -> Void

  package init(
    id: RequestID, request: EngineRequest,
    onCancel: @escaping @Sendable () -> Void, onEnd: @escaping @Sendable (ErrorCode?) -> Void
  ) {
    self.id = id
    self.request = request
    self.onEnd = onEnd
    // Unbounded: an answer is bounded by its context.
    events = EventChannel(onCancel: onCancel)
  }

  package func finish(_ completion: Completion) {
    onEnd(completion.finishReason == .cancelled ? .cancelled : nil)
    accepted.set(.success(()))
    events.send(.finished(completion))
    events.finish()
  }

  package func fail(_ error: HybridError) {
    onEnd(error.code)
    accepted.set(.failure(error))
    events.finish(throwing: error)
  }
}

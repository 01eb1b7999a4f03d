package import HybridCore

/// What the engine is asked to generate: tokens in, a few limits, everything checked beforehand.
package struct EngineRequest: Sendable {
  /// At least one, and fewer than the context holds.
  package var prompt: [Token]
  package var sampler: SamplerSettings
  package var maxTokens: Int?
  package var stop: [String]
  /// nil for a model that marks no reasoning.
  package var reasoning: ReasoningUse?
  package var deadline: Moment?
  /// Which failures of the run are the engine's own.
  package var failures: FailureTable
  /// When the request reached the executor: timings count from here.
  package var received: Moment

  package init(
    prompt: [Token], sampler: SamplerSettings, maxTokens: Int? = nil, stop: [String] = [],
    reasoning: ReasoningUse? = nil, deadline: Moment? = nil, failures: FailureTable = .standard,
    received: Moment
  ) {
    self.prompt = prompt
    self.sampler = sampler
    self.maxTokens = maxTokens
    self.stop = stop
    self.reasoning = reasoning
    self.deadline = deadline
    self.failures = failures
    self.received = received
  }

  /// The same for each of so many choices, which differ in their draws alone.
  package func choices(_ count: Int) -> [EngineRequest] {
    (0..<count).map { index in
      var request = self
      request.sampler = sampler.drawing(choice: index)
      return request
    }
  }
}

/// A request inside the engine, or one choice of it, with the way out for what it yields.
package final class EngineJob: Sendable {
  package let id: RequestID
  package let request: EngineRequest
  /// Shared by the choices of one request.
  private let channel: ChoiceChannel
  private let choice: Int

  /// - Parameter choice: from 0.
  package init(id: RequestID, request: EngineRequest, channel: ChoiceChannel, choice: Int = 0) {
    self.id = id
    self.request = request
    self.channel = channel
    self.choice = choice
  }

  /// The output of all choices, then their end.
  package var events: EventChannel<ExecutorEvent> { channel.events }

  /// Set once the model is loaded, or when the request ended before.
  package var accepted: OneShot<Void> { channel.accepted }

  /// - Returns: false when the consumer has gone, or the request has ended.
  package func handOut(_ piece: OutputPiece) -> Bool {
    channel.handOut(piece, of: choice)
  }

  package func finish(_ completion: Completion) {
    channel.finish(completion, of: choice)
  }

  /// - Parameter first: done before anyone is told of the error.
  package func fail(_ error: HybridError, first: () -> Void = {}) {
    channel.fail(error, first: first)
  }
}

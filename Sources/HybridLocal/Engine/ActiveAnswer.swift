#if LocalLlama
  import HybridCore

  /// A request that has begun, with all that its answer needs. Belongs to the engine's thread.
  final class ActiveAnswer {
    let job: EngineJob
    let sampler: LlamaSampler
    var generation: Generation
    var clock: RunClock
    /// nil where each step computes one token.
    var lookAhead: LookAhead?
    /// What was handed out.
    private(set) var text = ""

    /// - Parameter looksAhead: where the answer allows it: only the likeliest token can be verified.
    /// - Throws: `decodeFailed` where there is no memory for a sampler.
    init(
      _ job: EngineJob, contextLength: Int, looksAhead: Bool, loaded: Moment?, started: Moment
    ) throws(HybridError) {
      let request = job.request
      self.job = job
      sampler = try LlamaSampler(request.sampler)
      generation = Generation(
        promptCount: request.prompt.count, contextLength: contextLength,
        maxTokens: request.maxTokens, stop: request.stop)
      lookAhead =
        looksAhead && request.sampler == .greedy ? LookAhead(prompt: request.prompt) : nil
      clock = RunClock(received: request.received, loaded: loaded, started: started)
    }

    /// - Returns: false when the consumer has gone.
    func handOut(_ piece: String, at now: Moment) -> Bool {
      if piece.isEmpty { return true }
      clock.handedOut(at: now)
      text += piece
      return job.events.send(.text(piece)) != .closed
    }
  }
#endif

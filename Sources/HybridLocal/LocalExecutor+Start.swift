#if LocalLlama
  public import HybridCore

  extension LocalExecutor {
    /// Answers the request; loads the model first where it is not loaded yet.
    ///
    /// - Returns: the events, once the model is loaded and the request is in the queue.
    /// - Throws: `invalidRequest`, `unsupportedFeature`, `templateRejected`, `contextTooLong`,
    ///   `modelNotFound`, `modelFileInvalid`, `modelUnsupported`, `modelLoadFailed`,
    ///   `insufficientMemory`, `localBusy`, `deadlineExceeded`, `cancelled`. The stream itself may
    ///   throw `decodeFailed`, `deadlineExceeded` and `engineLost`, with the partial text.
    public func start(
      _ request: ChatRequest, in context: ExecutionContext
    ) async throws(HybridError) -> ExecutorStream {
      let received = time.now()
      if let refusal = context.permit?(1) { throw refusal }
      let onEnd: @Sendable (ErrorCode?) -> Void = { [time] failure in
        context.onAttempt(
          Attempt(side: .local, failure: failure, duration: time.now() - received))
      }
      let submission: (engine: Engine, jobs: [EngineJob])
      do throws(HybridError) {
        submission = try await submit(request, in: context, received: received, onEnd: onEnd)
      } catch {
        onEnd(error.code)
        throw error
      }
      let (engine, jobs) = submission
      let cancel: @Sendable () -> Void = { for job in jobs { engine.cancel(job.id) } }
      do throws(HybridError) {
        try await jobs[0].accepted.wait()
      } catch {
        // A no-op where the request has ended already: the load failed, or its deadline passed.
        cancel()
        throw error
      }
      // The streams hold the executor, so that its last user, not its maker, ends it.
      return ExecutorStream(
        next: { [self] () async throws(HybridError) in
          defer { withExtendedLifetime(self) {} }
          return try await jobs[0].events.next()
        }, cancel: cancel)
    }

    private func submit(
      _ request: ChatRequest, in context: ExecutionContext, received: Moment,
      onEnd: @escaping @Sendable (ErrorCode?) -> Void
    ) async throws(HybridError) -> (Engine, [EngineJob]) {
      try options.validate()
      try request.validate()
      try requireSupport(for: request)
      try requirePlaces(for: request.choices)
      let sampler = SamplerSettings(
        request.sampling, topLogProbs: request.topLogProbs, seed: .random(in: 0..<UInt32.max))
      let facts = try await facts()
      let read = try await prompt(of: request, by: facts)
      let prompt = read.tokens
      try await requireTokens(of: sampler, by: facts)
      // Before the load, which may cost seconds.
      try Self.requireRoom(for: prompt.count, in: await contextLength(for: facts))
      let engineRequest = EngineRequest(
        prompt: prompt, sampler: sampler, maxTokens: request.maxTokens, stop: request.stop,
        reasoning: read.reasoning,
        deadline: Self.earliest(context.deadline, request.deadline.map { received + $0 }),
        failures: context.failures ?? .standard, received: received)
      return try await withEngine(for: facts) { engine throws(HybridError) in
        try Self.requireRoom(for: prompt.count, in: engine.options.contextLength)
        let choices = engineRequest.choices(request.choices)
        return (engine, try engine.submit(choices: choices, onEnd: onEnd))
      }
    }

    private static func earliest(_ moments: Moment?...) -> Moment? {
      moments.compactMap { $0 }.min()
    }

    /// What this executor can do beyond plain text.
    static let features = Feature.sampling

    func requireSupport(for request: ChatRequest) throws(HybridError) {
      let missing = request.features.subtracting(Self.features).sorted()
      if let feature = missing.first {
        throw HybridError(
          .unsupportedFeature, "the local side cannot do `\(feature.rawValue)`",
          nextStep: "Leave it out, or let the gateway answer",
          details: ["features": .array(missing.map { .string($0.rawValue) })], side: .local)
      }
      // A stand-in has other tokens.
      if !request.sampling.logitBias.isEmpty, let model = request.model,
        !modelInfo.answers(to: model)
      {
        throw HybridError(
          .unsupportedFeature,
          "the logit bias counts the tokens of `\(model)`, and the local model is "
            + "`\(modelInfo.name)`",
          nextStep: "Name the local model and its tokens, or let the gateway answer",
          details: ["features": [.string(Feature.logitBias.rawValue)]], side: .local)
      }
    }

    /// Of a line that never has so many places nobody need wait.
    private func requirePlaces(for choices: Int) throws(HybridError) {
      guard choices <= options.queueCapacity else {
        throw HybridError(
          .unsupportedFeature,
          "the local side cannot do \(choices) choices: its queue takes "
            + "\(options.queueCapacity)",
          nextStep: "Ask for fewer, allow a longer queue, or let the gateway answer",
          details: [
            "features": [.string(Feature.choices.rawValue)], "asked": .int(choices),
            "most": .int(options.queueCapacity),
          ], side: .local)
      }
    }

    private func requireTokens(
      of sampler: SamplerSettings, by facts: ModelFacts
    ) async throws(HybridError) {
      if sampler.logitBias.isEmpty { return }
      try await background.run { [time] () throws(HybridError) in
        let builder = try facts.promptBuilder(at: time.now())
        try sampler.requireTokens(in: builder.tokenizer.vocabulary.tokenCount)
      }
    }

    static func requireRoom(for promptTokens: Int, in contextLength: Int)
      throws(HybridError)
    {
      guard promptTokens >= contextLength else { return }
      throw HybridError(
        .contextTooLong,
        "the prompt has \(promptTokens) tokens, and the local model's context holds "
          + "\(contextLength), the answer included",
        nextStep: "Shorten the conversation, or use a longer context",
        details: ["promptTokens": .int(promptTokens), "contextLength": .int(contextLength)],
        side: .local)
    }

    func prompt(of request: ChatRequest, by facts: ModelFacts) async throws(HybridError)
      -> PromptBuilder.Prompt
    {
      let date = TemplateDate(unixSeconds: Int(time.secondsSince1970()))
      // Some 0.1 s of tokenising: who asks for little is not to wait for more.
      let bytes = request.messages.reduce(0) { $0 + $1.text.utf8.count }
      let queue = bytes > 1 << 18 ? longTexts : background
      return try await queue.run { [time] () throws(HybridError) in
        try facts.promptBuilder(at: time.now()).prompt(for: request.messages, at: date)
      }
    }
  }
#endif

#if LocalLlama
  import HybridCore
  private import Synchronization

  // One request on the engine's thread: asks the generation what to do, and does it.
  extension Engine {
    func run(_ job: EngineJob, on context: borrowing LlamaContext) {
      let request = job.request
      var clock = RunClock(
        received: request.received, loaded: loadedAt, started: time.now())
      var generation = Generation(
        promptCount: request.prompt.count, contextLength: contextLength(of: context),
        chunk: context.batchCapacity, maxTokens: request.maxTokens, stop: request.stop)
      var text = ""
      let end: Result<FinishReason, HybridError>
      do throws(HybridError) {
        // Nothing of the request before is left, whatever became of it.
        context.clearMemory()
        let sampler = try LlamaSampler(request.sampler)
        end = .success(
          try drive(
            &generation, job: job, context: context, sampler: sampler, clock: &clock, text: &text))
      } catch {
        end = .failure(error)
      }
      conclude(job, generation: generation, clock: clock, end: end, text: text)
    }

    private var loadedAt: Moment? {
      state.withLock { $0.loadedAt }
    }

    private func drive(
      _ generation: inout Generation, job: EngineJob, context: borrowing LlamaContext,
      sampler: borrowing LlamaSampler, clock: inout RunClock, text: inout String
    ) throws(HybridError) -> FinishReason {
      func handOut(_ piece: String) -> Bool {
        if piece.isEmpty { return true }
        clock.handedOut(at: time.now())
        text += piece
        return job.events.send(.text(piece)) != .closed
      }

      while true {
        if isOutOfTime(at: time.now()) {
          throw Self.deadlineExceeded(while: "the local model worked on it")
        }
        if abort.isRaised { return try stopped(&generation, handOut) }
        switch generation.step {
        case .prefill(let range, let wantsLogits):
          context.clearBatch()
          let isWhole = range.allSatisfy { place in
            context.addToBatch(
              job.request.prompt[place], position: place,
              wantsLogits: wantsLogits && place == range.upperBound - 1)
          }
          decode(&generation, context, isWhole: isWhole)
        case .decode(let token, let position):
          context.clearBatch()
          let isWhole = context.addToBatch(token, position: position, wantsLogits: true)
          decode(&generation, context, isWhole: isWhole)
        case .sample:
          let token = context.sample(with: sampler)
          clock.sampled(at: time.now())
          let piece = token.map { context.model.piece(of: $0) } ?? []
          let ends = token.map { context.model.endsGeneration($0) } ?? false
          if !handOut(generation.sampled(token, piece: piece, endsGeneration: ends)) {
            _ = generation.cancelled()
          }
        case .finish(let reason):
          return reason
        case .fail(let failure):
          throw failed(failure)
        }
      }
    }

    /// - Parameter isWhole: false when the batch did not take all tokens.
    private func decode(
      _ generation: inout Generation, _ context: borrowing LlamaContext, isWhole: Bool
    ) {
      let outcome = isWhole ? context.decode() : .invalidBatch
      // A cancel, a shut-down or a deadline: the top of the loop finds out which.
      if outcome != .aborted { generation.decoded(outcome) }
    }

    /// The abort flag was raised: by a cancel, or because the engine ends.
    private func stopped(
      _ generation: inout Generation, _ handOut: (String) -> Bool
    ) throws(HybridError) -> FinishReason {
      if let end = state.withLock({ $0.end }) { throw end }
      _ = handOut(generation.cancelled())
      return .cancelled
    }

    /// Tells those that wait, for their turn or for the load, that their deadline has passed. Asked
    /// between two steps of a run, and within each: a step may take seconds.
    ///
    /// - Returns: whether the running one's has.
    func isOutOfTime(at now: Moment) -> Bool {
      let (expired, isOver) = state.withLock { state in
        (
          state.queue.removeExpired(at: now).compactMap { state.jobs.removeValue(forKey: $0) },
          state.queue.isRunningExpired(at: now)
        )
      }
      for job in expired { job.fail(Self.deadlineExceeded(while: "it waited for its turn")) }
      return isOver
    }

    private static func deadlineExceeded(while what: String) -> HybridError {
      HybridError(
        .deadlineExceeded, "the request's deadline passed while \(what)",
        nextStep: "Allow more time, or ask for fewer tokens", side: .local)
    }

    private func failed(_ failure: Generation.Failure) -> HybridError {
      let (what, outcome) =
        switch failure {
        case .decode(.noRoom): ("found no room in the context", "noRoom")
        case .decode(.invalidBatch): ("refused its input", "invalidBatch")
        case .decode(.failed(let code)): ("failed with code \(code)", "failed(\(code))")
        case .decode(let outcome): ("ended unexpectedly", "\(outcome)")
        case .noToken: ("computed no numbers", "notANumber")
        }
      return HybridError(
        .decodeFailed, "the local model \(what) in the middle of the answer",
        nextStep: "Ask again; if it recurs, check that the model file is whole",
        details: ["outcome": .string(outcome), "reason": .optional(LlamaLog.takeError())],
        side: .local)
    }

    private func conclude(
      _ job: EngineJob, generation: Generation, clock: RunClock,
      end: Result<FinishReason, HybridError>, text: String
    ) {
      let timings = clock.timings(at: time.now())
      state.withLock { state in
        state.jobs[job.id] = nil
        state.queue.finishRunning()
        state.meter.record(
          promptTokens: generation.processed, prefill: timings.prefill ?? .zero,
          generatedTokens: generation.generated, decode: timings.decode ?? .zero)
      }
      switch end {
      case .success(let reason):
        if generation.generated > 0 { tell(.answered) }
        job.finish(
          Completion(
            finishReason: reason, model: options.modelName,
            usage: Usage(
              promptTokens: generation.promptCount, cachedTokens: 0,
              completionTokens: generation.generated, counted: true),
            timings: timings, threads: options.context.threads))
      case .failure(var error):
        error.committed = !text.isEmpty
        error.partialText = text.isEmpty ? nil : text
        if job.request.failures.row(for: error.code).localEffect == .modelFailed {
          breakDown(error)
        }
        job.fail(error)
      }
    }
  }
#endif

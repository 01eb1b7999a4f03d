#if LocalLlama
  import HybridCore
  private import Synchronization

  // How requests end: what their callers are told, and what the engine learns.
  extension Engine {
    /// - Parameters:
    ///   - generated: tokens, the one that ended the answer included.
    ///   - caching: whether later requests may build on what was computed.
    func conclude(
      _ job: EngineJob, _ end: Result<FinishReason, HybridError>, generated: Int,
      timings: Timings, threads: ThreadCounts, caching: Bool
    ) {
      let now = time.now()
      let reused = state.withLock { state in
        let reused = state.scheduler.reused(by: job.id)
        let computed = job.request.prompt.count - reused
        state.jobs[job.id] = nil
        state.scheduler.finish(job.id, caching: caching)
        state.noteEnd(at: now)
        state.meter.record(
          // A few tokens tell little of what many cost.
          promptTokens: computed >= 16 && generated > 0 ? computed : 0,
          prefill: timings.prefill ?? .zero, generatedTokens: generated,
          decode: timings.decode ?? .zero)
        return reused
      }
      switch end {
      case .success(let reason):
        if generated > 0 { tell(.answered) }
        job.finish(
          Completion(
            finishReason: reason, model: options.modelName, tunedFormat: options.tunedFormat,
            usage: Usage(
              promptTokens: job.request.prompt.count, cachedTokens: reused,
              completionTokens: generated, counted: true),
            timings: timings, threads: threads))
      case .failure(let error):
        // The choices beside it, which the breakdown ends, add nothing to what is told.
        job.fail(error) {
          if job.request.failures.row(for: error.code).localEffect == .modelFailed {
            breakDown(error)
          }
        }
      }
      tellIdle()
    }

    /// Tells those that have not begun, since they wait for their turn or for the load, that their
    /// deadline has passed. Asked between two steps and within each: a step may take seconds.
    func tellExpired(at now: Moment) {
      let expired = state.withLock { state in
        let ids = state.scheduler.removeExpired(at: now)
        if !ids.isEmpty { state.noteEnd(at: now) }
        return ids.compactMap { state.jobs.removeValue(forKey: $0) }
      }
      if expired.isEmpty { return }
      for job in expired { job.fail(Self.deadlineExceeded(while: "it waited for its turn")) }
      tellIdle()
    }

    static func busy(_ scheduler: Scheduler, choices: Int, wait: Duration) -> HybridError {
      var details: JSONObject = [
        "queueDepth": .int(scheduler.depth), "queueCapacity": .int(scheduler.capacity),
        "expectedWait": .seconds(wait),
      ]
      if choices > 1 { details["choices"] = .int(choices) }
      return HybridError(
        .localBusy,
        choices > 1
          ? "the local model's queue has no room for \(choices) choices: it holds "
            + "\(scheduler.depth) of \(scheduler.capacity)"
          : "the local model's queue is full: \(scheduler.depth) requests",
        nextStep: "Try again later, or allow a longer queue", details: details, side: .local)
    }

    static func deadlineExceeded(while what: String) -> HybridError {
      HybridError(
        .deadlineExceeded, "the request's deadline passed while \(what)",
        nextStep: "Allow more time, or ask for fewer tokens", side: .local)
    }

    static func failed(_ outcome: DecodeOutcome) -> HybridError {
      switch outcome {
      case .noRoom: failed(outcome: "noRoom", "found no room in the context")
      case .invalidBatch: failed(outcome: "invalidBatch", "refused its input")
      case .failed(let code): failed(outcome: "failed(\(code))", "failed with code \(code)")
      case .done, .aborted: failed(outcome: "\(outcome)", "ended unexpectedly")
      }
    }

    static func failed(outcome: String, _ what: String) -> HybridError {
      HybridError(
        .decodeFailed, "the local model \(what) in the middle of the answer",
        nextStep: "Ask again; if it recurs, check that the model file is whole",
        details: ["outcome": .string(outcome), "reason": .optional(LlamaLog.takeError())],
        side: .local)
    }
  }
#endif

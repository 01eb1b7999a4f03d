#if LocalLlama
  import HybridCore
  private import Synchronization

  /// The embedding engine's thread at work: asks the queue for a batch, computes it, and hands out what
  /// came of it.
  struct EmbeddingLoop: ~Copyable {
    private let engine: EmbeddingEngine
    private let context: LlamaContext
    private var threads: StepThreads
    /// What is there of requests that are not complete.
    private var found: [RequestID: Found] = [:]

    private struct Found {
      var started: Moment
      var vectors: [[Float]] = []
      /// False where a vector's numbers are none.
      var isSound = true
    }

    /// What the queue says when it is asked.
    private enum Turn {
      case batch([EmbeddingQueue.Part], [RequestID: EmbeddingJob])
      case idle
      case over(HybridError)
    }

    init(_ engine: EmbeddingEngine, _ context: consuming LlamaContext) {
      self.engine = engine
      self.context = context
      threads = StepThreads(engine.options.threads, at: engine.time.now())
    }

    /// Returns when the engine has ended. Whoever waited has been told so then.
    mutating func run() {
      while true {
        switch nextTurn() {
        case .batch(let parts, let jobs): compute(parts, jobs)
        case .idle: engine.waitForWork()
        case .over(let error):
          let rest = engine.state.withLock { state in
            let ids = state.queue.removeWaiting()
            return state.takeJobs(ids)
          }
          for job in rest { job.result.set(.failure(error)) }
          return
        }
      }
    }

    private func nextTurn() -> Turn {
      engine.state.withLock { state in
        if let end = state.end { return .over(end) }
        engine.abort.lower()
        let parts = state.queue.nextBatch()
        return parts.isEmpty ? .idle : .batch(parts, state.jobs)
      }
    }

    private mutating func compute(
      _ parts: [EmbeddingQueue.Part], _ jobs: [RequestID: EmbeddingJob]
    ) {
      let start = engine.time.now()
      // Texts of former batches would be looked at too, and take up room.
      context.clearMemory()
      let tokens = fillBatch(parts, jobs)
      threads.begin(StepShape(generated: 0, prompt: tokens ?? 1), on: context, at: start)
      let outcome = tokens == nil ? .invalidBatch : context.decode()
      let now = engine.time.now()
      switch outcome {
      case .done:
        threads.end(on: context, at: now)
        for (sequence, part) in parts.enumerated() {
          let vector = context.embedding(of: sequence) ?? []
          found[part.id, default: Found(started: start)].vectors.append(vector)
          if vector.isEmpty || !vector.allSatisfy(\.isFinite) { found[part.id]?.isSound = false }
        }
        finish((now - start).inSeconds / Double(max(1, tokens ?? 0)), at: now)
      case .aborted: engine.state.withLock { $0.queue.aborted() }
      case .noRoom, .invalidBatch: fail(outcome, isLast: false, at: now)
      case .failed: fail(outcome, isLast: true, at: now)
      }
      forgetLeft(at: now)
    }

    /// - Returns: its tokens; nil when the batch did not take them.
    private func fillBatch(
      _ parts: [EmbeddingQueue.Part], _ jobs: [RequestID: EmbeddingJob]
    ) -> Int? {
      context.clearBatch()
      var count = 0
      for (sequence, part) in parts.enumerated() {
        guard let text = jobs[part.id]?.texts[part.text] else { return nil }
        for (position, token) in text.enumerated() {
          guard
            context.addToBatch(token, position: position, sequence: sequence, wantsLogits: true)
          else { return nil }
        }
        count += text.count
      }
      return count
    }

    // MARK: Ends

    /// Hands out what is complete.
    private mutating func finish(_ secondsPerToken: Double, at now: Moment) {
      let (jobs, loaded) = engine.state.withLock { state in
        state.pace.record(secondsPerToken)
        let ids = state.queue.computed()
        return (state.takeJobs(ids), state.loadedAt)
      }
      for job in jobs {
        guard let found = found.removeValue(forKey: job.id), found.isSound else {
          job.result.set(.failure(Self.failed("computed no numbers", outcome: "notANumber")))
          continue
        }
        engine.tell(.answered)
        let clock = RunClock(received: job.received, loaded: loaded, started: found.started)
        var timings = clock.timings(at: now)
        timings.decode = nil
        job.result.set(.success(.init(vectors: found.vectors, timings: timings)))
      }
    }

    /// - Parameter isLast: whether the engine cannot go on.
    private func fail(_ outcome: DecodeOutcome, isLast: Bool, at now: Moment) {
      let error = Self.failed("could not compute a batch", outcome: "\(outcome)")
      let jobs = engine.state.withLock { state in
        let ids = state.queue.failed()
        return state.takeJobs(ids)
      }
      if isLast {
        engine.tell(.broken(error))
        engine.shutDown(
          HybridError(
            .engineLost, "the local embedder ended, since it failed in another request's texts",
            nextStep: "Ask again: the model will be loaded anew",
            details: ["cause": .string(error.code.rawValue)], side: .local))
      }
      for job in jobs { job.result.set(.failure(error)) }
    }

    /// Drops what is there of requests that have left, and says where none is left.
    private mutating func forgetLeft(at now: Moment) {
      let (jobs, isIdle) = engine.state.withLock { state in
        state.noteEnd(at: now)
        return (state.jobs, state.idleSince != nil)
      }
      found = found.filter { jobs[$0.key] != nil }
      if isIdle { engine.tell(.idle) }
    }

    private static func failed(_ what: String, outcome: String) -> HybridError {
      HybridError(
        .decodeFailed, "the local embedding model \(what)",
        nextStep: "Ask again; if it recurs, check that the model file is whole",
        details: ["outcome": .string(outcome), "reason": .optional(LlamaLog.takeError())],
        side: .local)
    }
  }
#endif

#if LocalLlama
  import HybridCore
  private import Synchronization

  /// The engine's thread at work: asks the scheduler what to compute, computes it, and hands out what
  /// came of it.
  struct EngineLoop: ~Copyable {
    private let engine: Engine
    private let context: LlamaContext
    private var threads: StepThreads?
    private var active: [RequestID: ActiveAnswer] = [:]

    /// What the scheduler says when it is asked.
    private enum Turn {
      case step(Scheduler.Step)
      case idle
      case over(HybridError)
    }

    /// - Parameter threads: what the thread counts follow; nil: the context's own, always.
    init(
      _ engine: Engine, _ context: consuming LlamaContext, threads: StepThreads.Source?
    ) {
      self.engine = engine
      self.context = context
      self.threads = threads.map { StepThreads($0, at: engine.time.now()) }
    }

    /// Returns when the engine has ended. Everything that ran has been told so then.
    mutating func run() {
      while true {
        let now = engine.time.now()
        engine.tellExpired(at: now)
        endStopped(at: now)
        switch nextTurn(at: now) {
        case .step(let step):
          begin(step.begun, at: now)
          perform(step)
        case .idle: engine.waitForWork()
        case .over(let error):
          for id in active.keys.sorted() { fail(id, error) }
          return
        }
      }
    }

    private func nextTurn(at now: Moment) -> Turn {
      engine.state.withLock { state in
        if let end = state.end { return .over(end) }
        engine.abort.lower()
        let step = state.scheduler.nextStep(at: now)
        return step == Scheduler.Step() ? .idle : .step(step)
      }
    }

    private mutating func endStopped(at now: Moment) {
      for (id, ending) in engine.state.withLock({ $0.scheduler.ended(at: now) }) {
        switch ending {
        case .cancelled: finish(id, .cancelled)
        case .expired: fail(id, Engine.deadlineExceeded(while: "the local model worked on it"))
        }
      }
    }

    private mutating func begin(_ ids: [RequestID], at now: Moment) {
      for id in ids {
        let (job, loaded) = engine.state.withLock { ($0.jobs[id], $0.loadedAt) }
        guard let job else { continue }
        let strain = engine.options.threads.map { CPUStrain($0.machine, at: now) }
        do throws(HybridError) {
          active[id] = try ActiveAnswer(
            job, contextLength: engine.contextLength(of: context),
            vocabularySize: context.model.tokenCount,
            looksAhead: engine.options.looksAhead && !context.model.isRecurrent,
            loaded: loaded, started: now,
            threads: engine.options.context.threads, strain: strain)
        } catch {
          engine.conclude(
            job, .failure(error), generated: 0, timings: Timings(),
            threads: engine.options.context.threads, caching: false)
        }
      }
    }

    // MARK: One step

    private mutating func perform(_ step: Scheduler.Step) {
      let lost = step.commands.compactMap { obey($0) ? nil : $0.sequence }
      guard lost.isEmpty else {
        // What was planned upon them cannot be.
        engine.state.withLock { state in
          state.scheduler.leftOut(step)
          for sequence in lost { state.scheduler.lost(sequence) }
        }
        return
      }
      if step.parts.isEmpty { return }
      let start = engine.time.now()
      for part in step.parts { active[part.id]?.computes(at: start) }
      let isFilled = fillBatch(step)
      threads?.begin(step.shape, on: context, at: start)
      let outcome = isFilled ? context.decode() : .invalidBatch
      let now = engine.time.now()
      if outcome == .done { threads?.end(on: context, at: now) }
      if let count = threads?.count {
        for part in step.parts { active[part.id]?.used(count, inPrompt: !part.isStream) }
      }
      let took = now - start
      let result = engine.state.withLock { $0.scheduler.computed(step, outcome, took: took) }
      for failure in result.failed { fail(failure) }
      // The time of a step that was one stream's alone.
      let own = step.parts.count == 1 && step.streams == 1 ? took : nil
      for sample in result.samples { choose(sample, took: own) }
    }

    /// - Returns: false when the sequence could not be cut, and was cleared instead.
    private func obey(_ command: SequenceStore.Command) -> Bool {
      switch command {
      case .share(let source, let target, let count):
        context.share(count, of: source, with: target)
        return true
      case .keep(let sequence, let count):
        if context.keep(count, of: sequence) { return true }
        _ = context.keep(0, of: sequence)
        return false
      }
    }

    /// - Returns: false when the batch did not take all tokens.
    private func fillBatch(_ step: Scheduler.Step) -> Bool {
      context.clearBatch()
      for part in step.parts {
        for (offset, token) in part.tokens.enumerated() {
          let isTaken = context.addToBatch(
            token, position: part.position + offset, sequence: part.sequence,
            wantsLogits: offset >= part.tokens.count - part.outputs)
          if !isTaken { return false }
        }
      }
      return true
    }

    /// Chooses a request's next tokens: one, and one more for each that it had guessed right.
    private mutating func choose(_ sample: Scheduler.StepResult.Sample, took: Duration?) {
      guard let answer = active[sample.id] else { return }
      for accepted in 0...sample.guess.count {
        guard
          let sampled = context.sample(with: &answer.sampler, after: sample.index + accepted)
        else {
          let error = Engine.failed(outcome: "notANumber", "computed no numbers")
          fail(sample.id, error, caching: false)
          return
        }
        let now = engine.time.now()
        answer.clock.sampled(at: now)
        let token = sampled.token
        answer.sampler.accept(token)
        let ends = context.model.endsGeneration(token)
        let piece = answer.piece(of: token, in: context.model)
        if !ends, let told = context.model.logProb(of: sampled) {
          answer.untold.append(told, bytes: piece)
        }
        let progress = answer.generation.sampled(
          piece: piece, endsGeneration: ends)
        let isWanted = answer.handOut(progress, at: now)
        if let reason = progress.finish {
          finish(sample.id, reason)
          return
        }
        if !isWanted {
          finish(sample.id, .cancelled)
          return
        }
        if accepted < sample.guess.count, token == sample.guess[accepted] { continue }
        let guess = answer.lookAhead?.chosen(
          sample.guess.prefix(accepted) + [token], guess: sample.guess.count, took: took,
          room: answer.generation.room)
        engine.state.withLock { state in
          state.scheduler.sampled(token, for: sample.id, accepted: accepted)
          if let guess { state.scheduler.guess(guess, for: sample.id) }
        }
        return
      }
    }

    // MARK: Ends

    private mutating func finish(_ id: RequestID, _ reason: FinishReason) {
      guard let answer = active.removeValue(forKey: id) else { return }
      // These end between two tokens: what may have been the beginning of a stop string was none.
      if reason == .cancelled || reason == .contextFull {
        _ = answer.handOut(answer.generation.rest(), at: engine.time.now())
      }
      answer.tellRest()
      conclude(answer, .success(reason), caching: true)
    }

    private mutating func fail(_ failure: Scheduler.StepResult.Failure) {
      if failure.outcome == .noRoom, let answer = active[failure.id], answer.hasOutput {
        finish(failure.id, .contextFull)
        return
      }
      fail(failure.id, Engine.failed(failure.outcome), caching: false)
    }

    private mutating func fail(_ id: RequestID, _ error: HybridError, caching: Bool = true) {
      guard let answer = active.removeValue(forKey: id) else { return }
      var error = error
      error.committed = answer.hasOutput
      error.partialText = answer.text.isEmpty ? nil : answer.text
      conclude(answer, .failure(error), caching: caching)
    }

    private func conclude(
      _ answer: ActiveAnswer, _ end: Result<FinishReason, HybridError>, caching: Bool
    ) {
      let now = engine.time.now()
      var timings = answer.clock.timings(at: now)
      if let machine = engine.options.threads?.machine, let strain = answer.strain {
        let result = strain.result(machine, at: now)
        timings.throttled = result.throttled
        timings.cpuPressure = result.pressure
      }
      engine.conclude(
        answer.job, end, generated: answer.generation.generated, timings: timings,
        threads: answer.threads, caching: caching)
    }
  }

  extension Scheduler.Step {
    fileprivate var shape: StepShape {
      let prompt = promptTokens
      return StepShape(generated: parts.reduce(0) { $0 + $1.tokens.count } - prompt, prompt: prompt)
    }
  }

  extension SequenceStore.Command {
    /// The sequence that it changes.
    fileprivate var sequence: Int {
      switch self {
      case .share(_, let target, _): target
      case .keep(let sequence, _): sequence
      }
    }
  }
#endif

#if LocalLlama
  private import Dispatch
  package import HybridCore
  import Synchronization

  /// A loaded model with the one thread that computes with it, and the line in front of it.
  ///
  /// The thread loads the model first, then serves the requests, several at once, until it is shut
  /// down, and frees everything at its end. Any thread may call the methods; none of them blocks.
  package final class Engine: ModelEngine {
    package struct Options: Sendable {
      package var path: String
      /// What answers call the model.
      package var modelName: String
      /// The format of the tuned copy that it loads; nil where it loads the model's own file.
      package var tunedFormat: String?
      /// Tokens that one request may take.
      package var contextLength: Int
      /// Requests that run at once.
      package var slots: Int
      package var context: LlamaContext.Options
      package var queueCapacity: Int
      /// Tokens that only finished sequences may hold; nil: as many as there are.
      package var cacheLimit: Int?
      package var reuse = SequenceStore.Reuse.prefixes
      package var mode = Scheduler.Mode.batched
      /// What the thread counts follow; nil: the context's own, always.
      package var threads: StepThreads.Source?
      /// What measures thread counts once the model is loaded; nil: nothing does.
      package var tuner: AutoTuner?
      /// What was known of tuned counts before the load; nil where nobody asked.
      package var remembered: AutoTuneResult?
      /// Bytes that it was foretold to take.
      package var neededBytes = 0
      /// Whether greedy answers guess their next tokens from what stands before.
      package var looksAhead = false

      package init(
        path: String, modelName: String, contextLength: Int, slots: Int = 1,
        context: LlamaContext.Options, queueCapacity: Int
      ) {
        self.path = path
        self.modelName = modelName
        self.contextLength = contextLength
        self.slots = slots
        self.context = context
        self.queueCapacity = queueCapacity
      }
    }

    /// What is known once the model is loaded.
    package struct Loaded: Sendable, Hashable {
      /// The tokens that one sequence may hold.
      package var contextLength: Int
      package var at: Moment
      /// What tuning came to; nil where nobody asked for it.
      package var tuning: AutoTuneResult?
    }

    package typealias Facts = ModelFacts
    package typealias Report = EngineReport<Loaded>

    static let owner = "local executor"

    struct State {
      var scheduler: Scheduler
      var jobs: [RequestID: EngineJob] = [:]
      var meter = SpeedMeter()
      var nextNumber = 1
      var loadedAt: Moment?
      /// When the last request ended, or the load where none came; nil while one runs or waits.
      var idleSince: Moment?
      /// Why nothing more is accepted.
      var end: HybridError?

      /// A request has ended, or the load has.
      mutating func noteEnd(at now: Moment) {
        if loadedAt != nil, scheduler.depth == 0, idleSince == nil { idleSince = now }
      }
    }

    let options: Options
    let time: any TimeSource
    let state: Mutex<State>
    /// Read inside a running decode. Raised and lowered under `state`'s lock only, so that a cancel
    /// that comes late cannot stop the next request.
    let abort = AbortFlag()
    let loading: LoadProgress

    /// What the load came to. Waiting for it may be cancelled; the load goes on.
    package let loaded = OneShot<Loaded>()
    /// Set when the thread has ended and everything is freed.
    package let ended = OneShot<Void>()

    /// The name of its thread, and of those that compute for it.
    package static let threadName = "hybrid-engine"

    private let wake = DispatchSemaphore(value: 0)
    private let report: @Sendable (Engine, Report) -> Void

    /// Starts to load; returns at once.
    ///
    /// - Parameter report: called on the engine's thread, where it does not say otherwise.
    /// - Throws: `internal` when the system has no thread left.
    package init(
      options: Options, time: any TimeSource,
      report: @escaping @Sendable (Engine, Report) -> Void = { _, _ in }
    ) throws(HybridError) {
      self.options = options
      self.time = time
      state = Mutex(
        State(
          scheduler: Scheduler(
            slots: options.slots, capacity: options.queueCapacity,
            batch: min(options.context.batch, options.context.length), mode: options.mode,
            store: SequenceStore(
              sequences: options.context.sequences, capacity: options.context.length,
              cacheLimit: options.cacheLimit, reuse: options.reuse))))
      loading = LoadProgress(started: time.now())
      self.report = report
      try OwnThread.start(for: .local) { self.main() }
    }

    // MARK: Any thread

    /// Puts a request in the line.
    ///
    /// - Parameter onEnd: told once how it ended, nil for well, before the events end.
    /// - Throws: `localBusy` when the line is full; the reason when the engine has ended.
    package func submit(
      _ request: EngineRequest, onEnd: @escaping @Sendable (ErrorCode?) -> Void = { _ in }
    ) throws(HybridError) -> EngineJob {
      try submit(choices: [request], onEnd: onEnd)[0]
    }

    /// Puts the choices of a request in the line: all of them, or none.
    ///
    /// - Parameter choices: at least one.
    /// - Returns: a job for each, which share their events.
    /// - Throws: as ``submit(_:onEnd:)``; `localBusy` also where not all have room.
    package func submit(
      choices: [EngineRequest], onEnd: @escaping @Sendable (ErrorCode?) -> Void
    ) throws(HybridError) -> [EngineJob] {
      // There would be no step to do for it, and so no end.
      guard choices.allSatisfy({ !$0.prompt.isEmpty }) else {
        throw HybridError(
          .invalidRequest, "the prompt has no tokens", nextStep: "Give the model something to read",
          side: .local)
      }
      let now = time.now()
      let jobs = try state.withLock { state throws(HybridError) -> [EngineJob] in
        if let end = state.end { throw end }
        let ids = choices.indices.map { RequestID(state.nextNumber + $0) }
        let tickets = zip(ids, choices).map { id, request in
          Scheduler.Ticket(
            id: id, prompt: request.prompt,
            work: Work(
              promptTokens: request.prompt.count,
              mostOutputTokens: request.maxTokens ?? options.contextLength - request.prompt.count),
            deadline: request.deadline)
        }
        if case .full = state.scheduler.admit(tickets) {
          let wait = state.scheduler.expectedWait(at: now, by: state.meter)
          throw Self.busy(state.scheduler, choices: choices.count, wait: wait)
        }
        state.nextNumber += choices.count
        state.idleSince = nil
        let channel = ChoiceChannel(
          choices: choices.count,
          stop: { [weak self] in for id in ids { self?.cancel(id) } }, onEnd: onEnd)
        let jobs = choices.indices.map { index in
          EngineJob(id: ids[index], request: choices[index], channel: channel, choice: index)
        }
        for job in jobs { state.jobs[job.id] = job }
        if state.loadedAt != nil { channel.accepted.set(.success(())) }
        return jobs
      }
      wake.signal()
      return jobs
    }

    /// Stops a request: at once where it waits, within one token where it runs. Ends with the finish
    /// reason `cancelled`. Touches no other request; does nothing for one that has ended.
    package func cancel(_ id: RequestID) {
      let now = time.now()
      let waiting = state.withLock { state -> EngineJob? in
        switch state.scheduler.cancel(id) {
        case .waiting:
          state.noteEnd(at: now)
          return state.jobs.removeValue(forKey: id)
        case .running where state.scheduler.isStepUnwanted(at: now): abort.raise()
        case .running, .absent: break
        }
        return nil
      }
      guard let waiting else { return }
      waiting.finish(unstarted(waiting))
      tellIdle()
    }

    package var queueStatus: QueueStatus {
      let now = time.now()
      return state.withLock { state in
        QueueStatus(
          depth: state.scheduler.depth, capacity: state.scheduler.capacity,
          expectedWait: state.scheduler.expectedWait(at: now, by: state.meter))
      }
    }

    /// Since when nothing runs or waits in the loaded model; nil while something does.
    package var idleSince: Moment? { state.withLock { $0.idleSince } }

    /// Cells of the context's memory that running requests hold.
    package var runningCells: Int { state.withLock { $0.scheduler.runningCells } }

    /// How long the load will yet take; nil where it cannot be foretold.
    package var remainingLoad: Duration? { loading.remaining(at: time.now()) }

    /// Ends the engine: what runs or waits fails with `error`, then everything is freed.
    package func shutDown(_ error: HybridError) {
      let waiting = state.withLock { state -> [EngineJob] in
        guard state.end == nil else { return [] }
        state.end = error
        abort.raise()
        return state.scheduler.removeWaiting().compactMap { state.jobs.removeValue(forKey: $0) }
      }
      wake.signal()
      for job in waiting { job.fail(error) }
    }

    /// The same, but only where nothing runs or waits.
    ///
    /// - Returns: how many do.
    package func shutDownIfIdle(_ error: HybridError) -> Int {
      let depth = state.withLock { state in
        if state.scheduler.depth == 0, state.end == nil {
          state.end = error
          abort.raise()
        }
        return state.scheduler.depth
      }
      wake.signal()
      return depth
    }

    /// Ends the engine over a failure that is its own, whichever request met it.
    func breakDown(_ error: HybridError) {
      guard state.withLock({ $0.end == nil }) else { return }
      tell(.broken(error))
      shutDown(
        HybridError(
          .engineLost, "the local engine ended, since it failed in another request's answer",
          nextStep: "Ask again: the model will be loaded anew",
          details: ["cause": .string(error.code.rawValue)], side: .local))
    }

    func tell(_ report: Report) {
      self.report(self, report)
    }

    /// Told after the requests that ended, and after what they brought about.
    func tellIdle() {
      if idleSince != nil { tell(.idle) }
    }

    private func unstarted(_ job: EngineJob) -> Completion {
      let now = time.now()
      let received = job.request.received
      return Completion(
        finishReason: .cancelled, model: options.modelName, tunedFormat: options.tunedFormat,
        usage: Usage(promptTokens: 0, cachedTokens: 0, completionTokens: 0, counted: true),
        timings: Timings(queue: now - received, total: now - received))
    }

    // MARK: The engine's thread

    private func main() {
      LlamaLibrary.nameThread(Self.threadName)
      tell(.begun)
      do throws(HybridError) {
        // Freed with the loop: the context first, then the model that it owns.
        let context = try load()
        let (threads, tuning) = tune(context)
        let result = Loaded(
          contextLength: contextLength(of: context), at: time.now(), tuning: tuning)
        let jobs = try state.withLock { state throws(HybridError) in
          // Ended where nothing asks any more: while the context was made, or after a measurement.
          if let end = state.end { throw end }
          state.loadedAt = result.at
          state.noteEnd(at: result.at)
          return Array(state.jobs.values)
        }
        tell(.loaded(result))
        loading.finish()
        for job in jobs { job.accepted.set(.success(())) }
        loaded.set(.success(result))
        var loop = EngineLoop(self, context, threads: threads)
        loop.run()
      } catch {
        // A load that was stopped fails for that reason.
        let error = state.withLock { $0.end } ?? error
        tell(.notLoaded(error))
        shutDown(error)
        loaded.set(.failure(error))
      }
      // What the allocator still holds of a freed model would count against the container's limit.
      LlamaLibrary.trimMemory()
      tell(.ended)
      ended.set(.success(()))
    }

    /// llama.cpp rounds a context up; what was asked for stays the limit.
    func contextLength(of context: borrowing LlamaContext) -> Int {
      min(options.contextLength, context.sequenceLength)
    }

    private func load() throws(HybridError) -> LlamaContext {
      let model = try LlamaModel(path: options.path, part: .everything) { fraction in
        loading.record(fraction)
        tellExpired(at: time.now())
        return !abort.isRaised
      }
      var pace = Pace()
      let context = try LlamaContext(model: model, options: options.context) {
        self.abort.isRaised || (pace.isDue() && self.isStepUnwanted(&pace))
      }
      if context.model.isRecurrent {
        state.withLock { $0.scheduler.store.restrictToWholeSequences() }
      }
      try warmUp(context)
      return context
    }

    /// Computes one token, so that the first request does not pay for what the first decode sets up.
    private func warmUp(_ context: borrowing LlamaContext) throws(HybridError) {
      context.clearBatch()
      _ = context.addToBatch(context.model.beginningToken ?? 0, position: 0, wantsLogits: true)
      let outcome = context.decode()
      context.clearMemory()
      if outcome == .done || outcome == .aborted { return }
      throw HybridError(
        .modelLoadFailed, "the model was loaded, and could not compute a token",
        nextStep: "Check that the model file is whole",
        details: ["outcome": .string("\(outcome)")], side: .local)
    }

    /// Measures thread counts, where that is wanted; a part of the load.
    private func tune(
      _ context: borrowing LlamaContext
    ) -> (threads: StepThreads.Source?, result: AutoTuneResult?) {
      guard let threads = options.threads, var tuner = options.tuner else {
        return (options.threads, options.remembered)
      }
      let result = tuner.tune { guess, budget throws(HybridError) in
        try ThreadTuner.run(
          context, guess: guess, machine: threads.machine, budget: budget, time: time,
          isCancelled: { self.abort.isRaised })
      }
      return (threads.with(tuner.known), result)
    }

    /// Asked within a step.
    private func isStepUnwanted(_ pace: inout Pace) -> Bool {
      let now = time.now()
      pace.looked(at: now)
      tellExpired(at: now)
      return state.withLock { $0.scheduler.isStepUnwanted(at: now) }
    }

    /// Waits until something has come or changed.
    func waitForWork() {
      wake.wait()
      // Those who called while it was at work have all been seen.
      while wake.wait(timeout: .now()) == .success {}
    }
  }
#endif

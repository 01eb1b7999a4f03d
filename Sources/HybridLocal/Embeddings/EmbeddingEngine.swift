#if LocalLlama
  private import Dispatch
  package import HybridCore
  import Synchronization

  /// A loaded embedding model with the one thread that computes with it, and the line in front of it.
  ///
  /// The thread loads the model first, then serves the requests, several in one batch, until it is shut
  /// down, and frees everything at its end. Any thread may call the methods; none of them blocks.
  package final class EmbeddingEngine: ModelEngine {
    package struct Options: Sendable {
      package var path: String
      /// Tokens that one text may have.
      package var contextLength: Int
      package var context: LlamaContext.Options
      /// Tokens of a batch that several texts share.
      package var sharedTokens: Int
      /// Requests that may be inside.
      package var queueCapacity: Int
      /// What the thread counts follow.
      package var threads: StepThreads.Source

      package init(
        path: String, contextLength: Int, context: LlamaContext.Options, sharedTokens: Int,
        queueCapacity: Int, threads: StepThreads.Source
      ) {
        self.path = path
        self.contextLength = contextLength
        self.context = context
        self.sharedTokens = sharedTokens
        self.queueCapacity = queueCapacity
        self.threads = threads
      }
    }

    package struct Loaded: Sendable, Hashable {
      /// Numbers of one vector.
      package var dimension: Int
      package var at: Moment
    }

    package typealias Facts = EmbedderFacts
    package typealias Report = EngineReport<Loaded>

    struct State {
      var queue: EmbeddingQueue
      var jobs: [RequestID: EmbeddingJob] = [:]
      /// Seconds a token, of late.
      var pace = MovingAverage(weight: 1 / 4)
      var nextNumber = 1
      var loadedAt: Moment?
      /// When the last request ended, or the load where none came; nil while one runs or waits.
      var idleSince: Moment?
      /// Why nothing more is accepted.
      var end: HybridError?

      /// A request has ended, or the load has.
      mutating func noteEnd(at now: Moment) {
        if loadedAt != nil, queue.depth == 0, idleSince == nil { idleSince = now }
      }

      /// The jobs of requests that have left the queue, in order.
      mutating func takeJobs(_ ids: [RequestID]) -> [EmbeddingJob] {
        ids.compactMap { jobs.removeValue(forKey: $0) }
      }
    }

    static let owner = "local embedder"
    /// The name of its thread, and of those that compute for it.
    package static let threadName = "hybrid-embedder"

    let options: Options
    let time: any TimeSource
    let state: Mutex<State>
    /// Read inside a running batch. Raised and lowered under `state`'s lock only, so that a cancel that
    /// comes late cannot stop the next batch.
    let abort = AbortFlag()
    let loading: LoadProgress

    /// What the load came to. Waiting for it may be cancelled; the load goes on.
    package let loaded = OneShot<Loaded>()
    package let ended = OneShot<Void>()

    private let wake = DispatchSemaphore(value: 0)
    private let report: @Sendable (EmbeddingEngine, Report) -> Void

    package init(
      options: Options, time: any TimeSource,
      report: @escaping @Sendable (EmbeddingEngine, Report) -> Void
    ) throws(HybridError) {
      self.options = options
      self.time = time
      state = Mutex(
        State(
          queue: EmbeddingQueue(
            capacity: options.queueCapacity, sharedTokens: options.sharedTokens,
            mostTexts: options.context.sequences)))
      loading = LoadProgress(started: time.now())
      self.report = report
      try OwnThread.start(for: .local) { self.main() }
    }

    // MARK: Any thread

    /// Puts texts in the line.
    ///
    /// - Throws: `localBusy` when the line is full; the reason when the engine has ended.
    package func submit(
      _ texts: [[Token]], received: Moment
    ) throws(HybridError) -> EmbeddingJob {
      let job = try state.withLock { state throws(HybridError) in
        if let end = state.end { throw end }
        let job = EmbeddingJob(
          id: RequestID(state.nextNumber), texts: texts, received: received)
        guard state.queue.admit(job.id, lengths: texts.map(\.count)) else {
          throw Self.busy(state)
        }
        state.nextNumber += 1
        state.idleSince = nil
        state.jobs[job.id] = job
        return job
      }
      wake.signal()
      return job
    }

    /// Gives a request up: at once where it waits, with its batch where it is computed. A batch that
    /// nobody wants any more is stopped. Does nothing for a request that has ended.
    package func cancel(_ id: RequestID) {
      let now = time.now()
      let isIdle = state.withLock { state in
        switch state.queue.cancel(id) {
        case .waiting:
          state.jobs[id] = nil
          state.noteEnd(at: now)
          return state.idleSince != nil
        case .inBatch:
          state.jobs[id] = nil
          if state.queue.isBatchUnwanted { abort.raise() }
        case .absent: break
        }
        return false
      }
      if isIdle { tell(.idle) }
    }

    package var queueStatus: QueueStatus {
      state.withLock { state in
        QueueStatus(
          depth: state.queue.depth, capacity: state.queue.capacity,
          expectedWait: state.expectedWait)
      }
    }

    package var idleSince: Moment? { state.withLock { $0.idleSince } }

    /// How long the load will yet take; nil where it cannot be foretold.
    package var remainingLoad: Duration? { loading.remaining(at: time.now()) }

    package func shutDown(_ error: HybridError) {
      let waiting = state.withLock { state -> [EmbeddingJob] in
        guard state.end == nil else { return [] }
        state.end = error
        abort.raise()
        let ids = state.queue.removeWaiting()
        return state.takeJobs(ids)
      }
      wake.signal()
      for job in waiting { job.result.set(.failure(error)) }
    }

    package func shutDownIfIdle(_ error: HybridError) -> Int {
      let depth = state.withLock { state in
        if state.queue.depth == 0, state.end == nil {
          state.end = error
          abort.raise()
        }
        return state.queue.depth
      }
      wake.signal()
      return depth
    }

    func tell(_ report: Report) {
      self.report(self, report)
    }

    // MARK: The engine's thread

    private func main() {
      LlamaLibrary.nameThread(Self.threadName)
      tell(.begun)
      do throws(HybridError) {
        // Freed with the loop: the context first, then the model that it owns.
        let context = try load()
        let result = Loaded(dimension: context.embeddingSize, at: time.now())
        try state.withLock { state throws(HybridError) in
          // Ended while the context was made, where nothing asks any more.
          if let end = state.end { throw end }
          state.loadedAt = result.at
          state.noteEnd(at: result.at)
        }
        tell(.loaded(result))
        loading.finish()
        loaded.set(.success(result))
        var loop = EmbeddingLoop(self, context)
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

    private func load() throws(HybridError) -> LlamaContext {
      let model = try LlamaModel(path: options.path, part: .everything) { fraction in
        loading.record(fraction)
        return !abort.isRaised
      }
      let context = try LlamaContext(model: model, options: options.context) { [abort] in
        abort.isRaised
      }
      try warmUp(context)
      return context
    }

    /// Computes one token, so that the first request does not pay for what the first batch sets up.
    private func warmUp(_ context: borrowing LlamaContext) throws(HybridError) {
      context.clearBatch()
      _ = context.addToBatch(context.model.beginningToken ?? 0, position: 0, wantsLogits: true)
      let outcome = context.decode()
      if outcome == .aborted || (outcome == .done && context.embedding(of: 0) != nil) { return }
      throw HybridError(
        .modelLoadFailed, "the model was loaded, and could not compute a vector",
        nextStep: "Check that the model file is whole",
        details: ["outcome": .string("\(outcome)")], side: .local)
    }

    /// Waits until something has come or changed.
    func waitForWork() {
      wake.wait()
      // Those who called while it was at work have all been seen.
      while wake.wait(timeout: .now()) == .success {}
    }
  }

  extension EmbeddingEngine.State {
    /// How long a new request would wait; zero while nothing has been measured.
    var expectedWait: Duration { .seconds((pace.value ?? 0) * Double(queue.tokensAhead)) }
  }

  extension EmbeddingEngine {
    private static func busy(_ state: State) -> HybridError {
      HybridError(
        .localBusy, "the local embedder's queue is full: \(state.queue.depth) requests",
        nextStep: "Try again later, or allow a longer queue",
        details: [
          "queueDepth": .int(state.queue.depth), "queueCapacity": .int(state.queue.capacity),
          "expectedWait": .seconds(state.expectedWait),
        ], side: .local)
    }
  }
#endif

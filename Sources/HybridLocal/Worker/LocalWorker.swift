#if LocalLlama
  public import HybridCore
  internal import Synchronization

  /// Answers chat requests as ``LocalExecutor`` does, in a process of its own: a model file that makes
  /// llama.cpp crash takes only that process with it.
  ///
  /// The process is started by the first call, and this one never opens the file. What crashes, hangs
  /// or breaks the protocol is `engineLost` for the requests inside, with what they had answered so
  /// far; the next request starts another process, after 1 s, 2 s, 4 s … 60 s while none answers, and
  /// ``status(model:)`` tells until when. Releasing the last reference, streams included, ends it.
  ///
  /// A barrier against crashes, not against break-ins: the process has the user's rights. It keeps
  /// none of this one's descriptors, of its environment only what names folders and threads, cannot
  /// gain rights, and leaves no core dump.
  public final class LocalWorker: LocalSide {
    /// How the model is run, and its process.
    public struct Options: Sendable, Hashable {
      public var model: LocalExecutor.Options

      /// Bytes of address space that the process may take; mapped weights count. nil: no limit of its
      /// own.
      public var memoryLimit: Int?

      /// How far it stands back for others, 0…19, as `nice` has it.
      public var niceness: Int

      /// Time without progress, while a request is owed, after which the process is ended, or up to an
      /// eighth later. Progress is output, a step of the engine, a part of a load. Time in which this
      /// process or the machine stands still (a stop, a sleep, a frozen container) does not count, nor,
      /// up to ten times as long, time in which a signal has stopped the worker.
      public var stallLimit: Duration

      /// Time in which it may tell of steps alone, while a request is owed: no output, no answer, no part
      /// of a load that is asked for. Then the process is ended. Counted as ``stallLimit``, and not
      /// while a reader keeps it waiting. Loads and long prompts must fit.
      public var progressLimit: Duration

      /// Time from a request's deadline, or from ``LocalWorker/close()``, until a process that does not
      /// react is ended. The request itself fails after 1 s at most; what has come until then, at most
      /// 256 KiB of it, can still be read.
      public var grace: Duration

      public init(
        model: LocalExecutor.Options = LocalExecutor.Options(), memoryLimit: Int? = nil,
        niceness: Int = 0, stallLimit: Duration = .seconds(60),
        progressLimit: Duration = .seconds(3600), grace: Duration = .seconds(5)
      ) {
        self.model = model
        self.memoryLimit = memoryLimit
        self.niceness = niceness
        self.stallLimit = stallLimit
        self.progressLimit = progressLimit
        self.grace = grace
      }
    }

    struct State {
      var phase = Phase.idle
      var backoff = LoadBackoff()
      /// Processes that were started, not those that could not be.
      var starts = 0
    }

    enum Phase {
      case idle
      case up(WorkerChild)
      case down(HybridError, until: Moment)
      /// With what is still ending.
      case closed(WorkerChild?)
    }

    public let modelPath: String
    public let options: Options
    let program: WorkerProgram
    let time: any TimeSource
    let state = Mutex(State())

    /// - Parameters:
    ///   - executable: a program whose `main` begins with ``WorkerMain/runIfWorker()``; nil: this very
    ///     program.
    ///   - arguments: of it; they mean nothing to the worker, and tell people what it is. nil: `worker`
    ///   and the model's name, for every user of the machine to see in `ps`.
    ///   - modelPath: of a GGUF file. It need not exist yet.
    public init(
      executable: String? = nil, arguments: [String]? = nil, modelPath: String,
      options: Options = Options(), time: any TimeSource = SystemTimeSource()
    ) {
      program = WorkerProgram(
        executable: executable ?? WorkerMain.ownProgram,
        arguments: arguments ?? ["worker", ModelName.stem(ofPath: modelPath)],
        environment: WorkerMain.environment)
      self.modelPath = modelPath
      self.options = options
      self.time = time
    }

    deinit {
      if case .up(let child) = state.withLock({ $0.phase }) { child.kill(.closed) }
    }

    /// How often a process was started in place of one that had gone. A program that could not be
    /// started counts for nothing.
    public var restarts: Int { state.withLock { max(0, $0.starts - 1) } }

    /// The number of the process, while there is one.
    public var processID: Int32? {
      if case .up(let child) = state.withLock({ $0.phase }) { child.processID } else { nil }
    }

    /// The process, ready for calls: the one there is, or a new one.
    ///
    /// - Throws: why there is none: closed, or failed a moment ago; `deadlineExceeded`.
    func child(until deadline: Moment? = nil) async throws(HybridError) -> WorkerChild {
      try options.validate()
      let now = time.now()
      let child = try state.withLock { state throws(HybridError) in
        switch state.phase {
        case .up(let child): return child
        case .closed: throw WorkerFault.closedError
        case .down(let error, let until) where now < until: throw error
        case .down, .idle: break
        }
        let child = try WorkerChild(
          program, settings,
          limits: WorkerLimits(
            stall: options.stallLimit, progress: options.progressLimit, grace: options.grace),
          restarts: state.starts, time: time,
          owner: WorkerChild.Owner(
            started: { [weak self] in self?.started() },
            answered: { [weak self] in self?.answered() },
            ended: { [weak self] child, fault, error in self?.ended(child, fault, error) }))
        state.phase = .up(child)
        return child
      }
      guard let deadline else {
        try await child.ready.wait()
        return child
      }
      try await withTimeBound(
        deadline + child.limits.lateness, time: time, timeout: WorkerChild.deadlineExceeded
      ) { () async throws(HybridError) in try await child.ready.wait() }
      return child
    }

    private var settings: WorkerSettings {
      WorkerSettings(
        modelPath: modelPath, options: options.model, memoryLimit: options.memoryLimit,
        niceness: options.niceness, beat: options.stallLimit / 4)
    }

    private func started() {
      state.withLock { $0.starts += 1 }
    }

    private func answered() {
      // That a model loads is no success: a broken one may load each time.
      state.withLock { $0.backoff.succeeded() }
    }

    private func ended(_ child: WorkerChild, _ fault: WorkerFault, _ error: HybridError) {
      let now = time.now()
      state.withLock { state in
        if case .closed(let present?) = state.phase, present === child {
          state.phase = .closed(nil)
        }
        guard case .up(let present) = state.phase, present === child else { return }
        // A wrong setting is told whoever asks, each time.
        if case .notStarted = fault {
          state.phase = .idle
        } else {
          let until = state.backoff.failed(error.code, at: now) ?? now
          state.phase = .down(error, until: until)
        }
      }
    }

    /// Answers the request in the worker, which loads the model first where it is not loaded yet.
    ///
    /// - Returns: the events, once the model is loaded and the request is in the queue.
    /// - Throws: as ``LocalExecutor/start(_:in:)``; `engineLost` also for a process that ended, and
    ///   `invalidConfiguration` for a program that cannot be started. The stream may throw both.
    public func start(
      _ request: ChatRequest, in context: ExecutionContext
    ) async throws(HybridError) -> ExecutorStream {
      let received = time.now()
      if let refusal = context.permit?(1) { throw refusal }
      let onEnd: @Sendable (ErrorCode?) -> Void = { [time] failure in
        context.onAttempt(
          Attempt(side: .local, failure: failure, duration: time.now() - received))
      }
      let (child, id, run): (WorkerChild, Int, WorkerRun)
      do throws(HybridError) {
        try request.validate()
        let deadline = [context.deadline, request.deadline.map { received + $0 }]
          .compactMap { $0 }.min()
        child = try await self.child(until: deadline)
        let order = WorkerOrder(
          request: request, remaining: deadline.map { $0 - time.now() },
          breaking: (context.failures ?? .standard).breaking, window: WorkerBook.window)
        (id, run) = try child.start(order, deadline: deadline, onEnd: onEnd)
      } catch {
        onEnd(error.code)
        throw error
      }
      // Gives it up where nobody reads it to its end.
      let reading = WorkerReading(self, child, id, run)
      try await run.accepted.wait()
      return ExecutorStream(
        next: { () async throws(HybridError) in try await reading.next() },
        cancel: { child.cancel(id) })
    }
  }

  /// A request's one reader. Holds the worker, so that its last user, not its maker, ends it.
  private final class WorkerReading: Sendable {
    private let worker: LocalWorker
    private let child: WorkerChild
    private let id: Int
    private let run: WorkerRun

    init(_ worker: LocalWorker, _ child: WorkerChild, _ id: Int, _ run: WorkerRun) {
      self.worker = worker
      self.child = child
      self.id = id
      self.run = run
    }

    deinit {
      child.drop(id)
    }

    func next() async throws(HybridError) -> ExecutorEvent? {
      guard let piece = try await run.events.next() else { return nil }
      child.read(piece.bytes, of: id)
      return piece.event
    }
  }
#endif

#if LocalLlama
  import HybridCore
  internal import Synchronization

  /// A worker's side of the stream: does what the parent says, with a ``LocalExecutor``.
  ///
  /// Nothing that the parent says is doubted: it started this process.
  final class WorkerServer: Sendable {
    struct State {
      var executor: LocalExecutor?
      var beat = Duration.seconds(15)
      /// Calls by their numbers, with what they wait with where they are runs.
      var calls: [Int: ServedCall] = [:]
      /// Frames sent.
      var sent = 0
      var ticker: Task<Void, Never>?
    }

    struct ServedCall: Sendable {
      /// nil for what is no run.
      var gate: CreditGate?
      /// Stops a run in good order, once it has a stream.
      var cancel: (@Sendable () -> Void)?
      var task: Task<Void, Never>?
      /// Wanted before there was a stream to stop.
      var isCancelled = false
      /// Its last word is on the way: nothing may follow it.
      var hasEnded = false
    }

    let time: any TimeSource = SystemTimeSource()
    let state = Mutex(State())
    private let link: WorkerLink
    private let exit: @Sendable (Int32) -> Void

    /// - Parameter exit: ends the process.
    init(_ link: WorkerLink, exit: @escaping @Sendable (Int32) -> Void) {
      self.link = link
      self.exit = exit
    }

    /// Reads and obeys, on the calling thread, until the parent has gone.
    func serve() {
      var frames = FrameReader(limit: WireFrame.longestCommand)
      while true {
        let bytes = link.read()
        if bytes.isEmpty { return }
        frames.append(bytes)
        do throws(WireError) {
          while let body = try frames.next() {
            let message = try WireFrame.message(body)
            do throws(WireError) {
              obey(try WorkerCommand(wire: message))
            } catch {
              // What no model could take, such as a number that is none, is that call's affair alone.
              guard let id = WorkerCommand.call(in: message) else { throw error }
              send(
                .failed(
                  id,
                  HybridError(
                    .invalidRequest, "the request cannot cross to the worker: \(error.problem)",
                    nextStep: "Give finite numbers, and JSON of ordinary depth", side: .local)))
            }
          }
        } catch {
          WorkerMain.complain("the parent speaks another protocol: \(error.problem)")
          return exit(65)
        }
      }
    }

    func send(_ reply: WorkerReply) {
      state.withLock { $0.sent += 1 }
      var frame = WireFrame.bytes(reply.wire(at: time.now()))
      if frame.count > WireFrame.longestReply, let id = reply.id {
        let error = HybridError(
          .internal, "an answer has \(frame.count) bytes, more than may cross",
          nextStep: "Report the model", side: .local)
        frame = WireFrame.bytes(WorkerReply.failed(id, error).wire(at: time.now()))
      }
      link.send(frame)
    }

    private func obey(_ command: WorkerCommand) {
      switch command {
      case .open(let settings): open(settings)
      case .start(let id, let order): start(id, order)
      case .cancel(let id): cancel(id)
      case .drop(let id): drop(id)
      case .credit(let id, let bytes): state.withLock { $0.calls[id]?.gate }?.give(bytes)
      case .status(let id):
        answer(id) { (executor) async throws(HybridError) in .status(id, await executor.status()) }
      case .measure(let id, let request):
        answer(id) { (executor) async throws(HybridError) in
          .measured(id, await executor.measure(request))
        }
      case .load(let id):
        answer(id) { [self] (executor) async throws(HybridError) in
          try await executor.load { self.send(.progress(id, $0)) }
          return .done(id, tokens: 0)
        }
      case .unload(let id):
        answer(id) { (executor) async throws(HybridError) in
          try await executor.unload()
          return .done(id, tokens: 0)
        }
      case .prewarm(let id, let messages, let remaining):
        answer(id) { (executor) async throws(HybridError) in
          .done(id, tokens: try await executor.prewarm(messages, deadline: remaining))
        }
      case .close: close()
      }
    }

    private func open(_ settings: WorkerSettings) {
      let failure = WorkerMain.limit(memory: settings.memoryLimit, niceness: settings.niceness)
      if failure != 0 {
        WorkerMain.complain("the worker's limits cannot be set (error \(failure))")
        return exit(71)
      }
      let executor = LocalExecutor(
        modelPath: settings.modelPath, options: settings.options, time: time)
      state.withLock { state in
        state.executor = executor
        state.beat = settings.beat
      }
      send(.ready(version: WorkerReply.version))
    }

    // MARK: Calls

    private func begin(
      _ id: Int, gate: CreditGate?, _ body: @escaping @Sendable (LocalExecutor) async -> Void
    ) {
      state.withLock { state in
        guard let executor = state.executor else { return }
        let task = Task { [self] in
          await body(executor)
          self.state.withLock { $0.calls[id] = nil }
        }
        state.calls[id] = ServedCall(gate: gate, task: task)
      }
      watchProgress()
    }

    private func answer(
      _ id: Int,
      _ body: @escaping @Sendable (LocalExecutor) async throws(HybridError) -> WorkerReply
    ) {
      begin(id, gate: nil) { [self] executor in
        do throws(HybridError) {
          send(try await body(executor))
        } catch {
          send(.failed(id, error))
        }
      }
    }

    private func start(_ id: Int, _ order: WorkerOrder) {
      let context = ExecutionContext(
        deadline: order.remaining.map { time.now() + $0 },
        failures: FailureTable(breaking: order.breaking),
        onAttempt: { [self] attempt in tellRun(id, attempt.failure) })
      let gate = CreditGate(order.window)
      begin(id, gate: gate) { [self] executor in
        do throws(HybridError) {
          let stream = try await executor.start(order.request, in: context)
          send(.accepted(id))
          let isCancelled = state.withLock { state in
            state.calls[id]?.cancel = { stream.cancel() }
            return state.calls[id]?.isCancelled ?? false
          }
          if isCancelled { stream.cancel() }
          try await tell(stream, of: id, through: gate)
        } catch {
          var error = error
          // The parent has it, piece by piece.
          error.partialText = nil
          end(id)
          send(.failed(id, error))
        }
      }
    }

    private func end(_ id: Int) {
      state.withLock { $0.calls[id]?.hasEnded = true }
    }

    /// The engine has done with a run, at times after its reader: then its last word was sent already.
    private func tellRun(_ id: Int, _ failure: ErrorCode?) {
      let frame = WireFrame.bytes(WorkerReply.ran(id, failure).wire(at: time.now()))
      state.withLock { state in
        guard state.calls[id]?.hasEnded == false else { return }
        state.sent += 1
        // Under the lock, so that the last word cannot pass it.
        link.send(frame)
      }
    }

    private func tell(
      _ stream: ExecutorStream, of id: Int, through gate: CreditGate
    ) async throws(HybridError) {
      for try await event in stream {
        let frame = WireFrame.bytes(WorkerReply.event(id, event).wire(at: time.now()))
        guard frame.count <= WireFrame.longestReply else {
          stream.cancel()
          throw HybridError(
            .internal, "a piece of output has \(frame.count) bytes, more than may cross",
            nextStep: "Ask for fewer log-probabilities, or shorter stop strings", side: .local)
        }
        guard await gate.take(frame.count - 4) else { throw .cancelledByTask }
        if !event.isOutput { end(id) }
        state.withLock { $0.sent += 1 }
        link.send(frame)
        if !event.isOutput { return }
      }
      throw HybridError(.internal, "the engine ended without saying how", side: .local)
    }

    private func cancel(_ id: Int) {
      let cancel = state.withLock { state in
        state.calls[id]?.isCancelled = true
        return state.calls[id]?.cancel
      }
      cancel?()
    }

    private func drop(_ id: Int) {
      let call = state.withLock { $0.calls[id] }
      call?.gate?.close()
      call?.cancel?()
      // Also before it was accepted.
      call?.task?.cancel()
    }

    private func close() {
      let (executor, calls) = state.withLock { ($0.executor, Array($0.calls.values)) }
      Task { [self] in
        await executor?.close()
        for call in calls {
          call.gate?.close()
          await call.task?.value
        }
        link.flush()
        exit(0)
      }
    }
  }
#endif

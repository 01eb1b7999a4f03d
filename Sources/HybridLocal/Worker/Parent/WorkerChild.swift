#if LocalLlama
  import HybridCore
  internal import Synchronization

  /// One worker's process, from its start to its end, with the calls that it answers.
  ///
  /// A thread of its own starts it, reads all that it says, and waits for its end: where that thread
  /// ends, and so where this process does, the system ends the worker.
  final class WorkerChild: Sendable {
    /// What its owner is told, on its thread.
    struct Owner: Sendable {
      /// The process was started.
      let started: @Sendable () -> Void
      /// A request was answered.
      let answered: @Sendable () -> Void
      /// It is no more. Told before its calls are.
      let ended: @Sendable (WorkerChild, WorkerFault, HybridError) -> Void
    }

    /// A call that somebody waits for.
    fileprivate enum Call: Sendable {
      case run(WorkerRun)
      case query(OneShot<WorkerReply>, progress: LoadProgress.Listener?)
    }

    struct State {
      var book = WorkerBook()
      fileprivate var calls: [Int: Call] = [:]
      /// Wait for deadlines.
      fileprivate var watchers: [Int: [Task<Void, Never>]] = [:]
      fileprivate var process: WorkerProcess?
      /// Why it was or will be ended; the first counts.
      var fault: WorkerFault?
      fileprivate var end: HybridError?
      var stall: StallWatch
      /// Whether what the application does with a reply holds up the reading.
      var isHeldUp = false
      /// Waits for it to stall.
      var watcher: Task<Void, Never>?
    }

    /// Set once it is ready for calls, or never will be.
    let ready = OneShot<Void>()
    /// Set once nothing of it is left.
    let ended = OneShot<Void>()
    let limits: WorkerLimits
    let time: any TimeSource
    let state: Mutex<State>
    private let settings: WorkerSettings
    private let restarts: Int
    private let link: WorkerLink
    private let owner: Owner

    /// Starts it. What goes wrong then is told its owner.
    ///
    /// - Throws: `internal` where the system has no descriptor or thread left.
    init(
      _ program: WorkerProgram, _ settings: WorkerSettings, limits: WorkerLimits, restarts: Int,
      time: any TimeSource, owner: Owner
    ) throws(HybridError) {
      self.settings = settings
      self.limits = limits
      self.restarts = restarts
      self.time = time
      self.owner = owner
      state = Mutex(
        State(
          stall: StallWatch(silence: limits.stall, beats: limits.progress, at: time.now())))
      let stream = try WorkerStream.pair()
      link = WorkerLink(stream.0)
      let words: (Int32, Int32)
      do throws(HybridError) {
        words = try WorkerStream.pair()
      } catch {
        systemClose(stream.1)
        throw error
      }
      do throws(HybridError) {
        try OwnThread.start(for: .local) { [self] in
          live(program, stream: stream.1, words: words)
        }
      } catch {
        for end in [stream.1, words.0, words.1] { systemClose(end) }
        throw error
      }
    }

    /// Its number, while it runs.
    var processID: Int32? {
      state.withLock { $0.end == nil ? $0.process?.id : nil }
    }

    // MARK: Its thread

    private func live(_ program: WorkerProgram, stream: Int32, words: (Int32, Int32)) {
      var said = WorkerWords()
      var exit: WorkerExit?
      do throws(WorkerFault) {
        defer {
          systemClose(stream)
          systemClose(words.1)
        }
        let process = try WorkerProcess(program, stream: stream, words: words.1)
        let isUnwanted = state.withLock { state in
          state.process = process
          return state.fault != nil
        }
        owner.started()
        if isUnwanted { process.kill() }
      } catch {
        state.withLock { $0.fault = $0.fault ?? error }
      }
      if let process = state.withLock({ $0.process }) {
        send(.open(settings))
        watchForStall()
        listen(words.0, &said)
        // It has closed the stream, or is to go.
        process.kill()
        exit = process.wait()
        while true {
          let rest = WorkerLink.readNow(words.0)
          if rest.isEmpty { break }
          said.append(rest)
        }
      }
      systemClose(words.0)
      link.close()
      end(exit, lastWords: said.text)
    }

    /// Reads until it says nothing more, or something that it must not.
    private func listen(_ words: Int32, _ said: inout WorkerWords) {
      var frames = FrameReader(limit: WireFrame.longestReply)
      var words = words
      while true {
        let (hasFrames, hasWords) = link.wait(beside: words)
        if hasWords {
          let bytes = WorkerLink.readNow(words)
          if bytes.isEmpty { words = -1 }
          said.append(bytes)
        }
        guard hasFrames else { continue }
        let bytes = link.read()
        if bytes.isEmpty { return }
        frames.append(bytes)
        do throws(WireError) {
          while let body = try frames.next() { try received(body) }
        } catch {
          return state.withLock { $0.fault = $0.fault ?? .brokeProtocol(error) }
        }
      }
    }

    private func received(_ body: [UInt8]) throws(WireError) {
      let now = time.now()
      let reply = try WorkerReply(wire: try WireFrame.message(body), at: now)
      let call = try state.withLock { state throws(WireError) -> Call? in
        let verdict = try state.book.received(reply, bytes: body.count)
        let isBeat = if case .beat = reply { true } else { false }
        state.stall.heard(
          at: now, isNews: !isBeat && verdict != .stale,
          waitsForReaders: state.book.waitsForReaders)
        guard let id = reply.id else { return nil }
        let call = verdict == .deliver ? state.calls[id] : nil
        if reply.isLast {
          state.calls[id] = nil
          for watcher in state.watchers.removeValue(forKey: id) ?? [] { watcher.cancel() }
        }
        return call
      }
      if case .event(_, .finished(let completion)) = reply,
        completion.usage?.completionTokens ?? 0 > 0
      {
        owner.answered()
      }
      if case .ready = reply { ready.set(.success(())) }
      // Here too, and not by a task alone: a reader that always finds more may never let one run.
      if case .run(let run)? = call, let end = run.end, now >= end, !reply.isLast, let id = reply.id
      {
        return give(up: id, Self.deadlineExceeded)
      }
      switch (call, reply) {
      case (.run(let run)?, .accepted): run.accepted.set(.success(()))
      case (.run(let run)?, .event(_, let event)): run.handOut(event, bytes: body.count)
      case (.run(let run)?, .ran(_, let code)): run.tell(code)
      case (.run(let run)?, .failed(_, let error)): run.fail(error)
      case (.query(let answer, _)?, .failed(_, let error)): answer.set(.failure(error))
      case (.query(_, let listener?)?, .progress(_, let fraction)): hold { listener(fraction) }
      case (.query?, .progress): break
      case (.query(let answer, _)?, _): answer.set(.success(reply))
      default: break
      }
    }

    /// Does what the application wants, for which the worker is not to blame.
    private func hold(_ body: () -> Void) {
      state.withLock { $0.isHeldUp = true }
      body()
      let now = time.now()
      state.withLock { state in
        state.isHeldUp = false
        // What it said meanwhile is read now.
        state.stall.heard(at: now, isNews: false)
      }
    }

    private func end(_ exit: WorkerExit?, lastWords: String) {
      // Put together outside: the optimiser of Swift 6.3 fails over it within the lock.
      let known = state.withLock { $0.fault }
      let fault = known ?? .ended(exit ?? .unknown)
      let error = fault.error(lastWords: lastWords, restarts: restarts)
      // First, so that whoever asks again at once is not sent here.
      owner.ended(self, fault, error)
      let calls = state.withLock { state in
        state.end = error
        state.watcher?.cancel()
        for watcher in state.watchers.values.joined() { watcher.cancel() }
        state.watchers = [:]
        defer { state.calls = [:] }
        return state.calls.sorted { $0.key < $1.key }.map(\.value)
      }
      ready.set(.failure(error))
      for call in calls {
        switch call {
        case .run(let run): run.fail(error)
        case .query(let answer, _): answer.set(.failure(error))
        }
      }
      ended.set(.success(()))
    }

    // MARK: Calls

    /// Asks for something that has one answer. Give up by ``drop(_:)``.
    func ask(
      _ call: WorkerBook.Call, progress: LoadProgress.Listener? = nil,
      _ command: (Int) -> WorkerCommand
    ) throws(HybridError) -> (id: Int, answer: OneShot<WorkerReply>) {
      let answer = OneShot<WorkerReply>()
      let id = try begin(call, command) { _ in .query(answer, progress: progress) }
      return (id, answer)
    }

    /// Starts a request.
    ///
    /// - Parameter deadline: when it must have ended.
    func start(
      _ order: WorkerOrder, deadline: Moment?, onEnd: @escaping @Sendable (ErrorCode?) -> Void
    ) throws(HybridError) -> (id: Int, run: WorkerRun) {
      let call = WorkerBook.Call.run(
        choices: order.request.choices, wantsLogProbs: order.request.topLogProbs != nil)
      var begun: WorkerRun?
      func waiting(_ id: Int) -> Call {
        let run = WorkerRun(
          end: deadline.map { $0 + limits.lateness },
          onCancel: { [weak self] in self?.drop(id) }, onEnd: onEnd)
        begun = run
        return .run(run)
      }
      let id = try begin(call, { .start($0, order) }, waiting)
      guard let run = begun else { throw WorkerFault.closedError }
      if let deadline { watch(id, deadline: deadline) }
      return (id, run)
    }

    private func begin(
      _ call: WorkerBook.Call, _ command: (Int) -> WorkerCommand, _ waiting: (Int) -> Call
    ) throws(HybridError) -> Int {
      let now = time.now()
      let id = try state.withLock { state throws(HybridError) in
        if let end = state.end { throw end }
        if state.book.isEmpty { state.stall.begin(at: now) }
        let id = state.book.begin(call)
        state.calls[id] = waiting(id)
        return id
      }
      let frame = WireFrame.bytes(command(id).wire)
      guard frame.count <= WireFrame.longestCommand else {
        state.withLock { state in
          state.book.forget(id)
          state.calls[id] = nil
        }
        throw HybridError(
          .invalidRequest,
          "the request has \(frame.count) bytes, and a worker takes \(WireFrame.longestCommand)",
          nextStep: "Shorten the conversation",
          details: ["bytes": .int(frame.count), "most": .int(WireFrame.longestCommand)],
          side: .local)
      }
      link.send(frame)
      watchForStall()
      return id
    }

    /// Asks a request to stop in good order.
    func cancel(_ id: Int) {
      guard state.withLock({ $0.book.isOpen(id) }) else { return }
      send(.cancel(id))
      watchCancelled(id)
    }

    /// Nobody waits for a call any more. A no-op where it has ended.
    func drop(_ id: Int) {
      give(up: id, nil)
    }

    /// - Parameter error: what its reader is told; nil where there is none any more.
    func give(up id: Int, _ error: HybridError?) {
      let (isOpen, call) = state.withLock { state -> (Bool, Call?) in
        guard state.book.drop(id) else { return (false, nil) }
        return (true, state.calls.removeValue(forKey: id))
      }
      if isOpen { send(.drop(id)) }
      guard case .run(let run) = call else { return }
      if let error { run.fail(error) } else { run.tell(.cancelled) }
    }

    /// So many bytes of a request's events were read.
    func read(_ bytes: Int, of id: Int) {
      let credit = state.withLock { $0.book.read(bytes, of: id) }
      if let credit { send(.credit(id, bytes: credit)) }
    }

    /// Holds a task that waits for a call's end, where the call is still open.
    func keep(_ watcher: Task<Void, Never>, for id: Int) {
      let isLate = state.withLock { state in
        guard state.book.isOpen(id), state.end == nil else { return true }
        state.watchers[id, default: []].append(watcher)
        return false
      }
      if isLate { watcher.cancel() }
    }

    private func send(_ command: WorkerCommand) {
      link.send(WireFrame.bytes(command.wire))
    }

    // MARK: Its end

    /// Asks it to end what runs and to go.
    func close() {
      state.withLock { $0.fault = $0.fault ?? .closed }
      send(.close)
    }

    /// Waits until nothing of it is left, in a cancelled task too.
    func gone() async {
      let waiting = Task { [ended] in
        do throws(HybridError) {
          try await ended.wait()
        } catch {
          // Nothing cancels this task, and nothing but an end is ever set.
        }
      }
      await waiting.value
    }

    /// Whether a signal has stopped the process.
    var isStopped: Bool { state.withLock { $0.process }?.isStopped ?? false }

    /// Ends it at once.
    func kill(_ fault: WorkerFault) {
      let process = state.withLock { state in
        state.fault = state.fault ?? fault
        return state.process
      }
      process?.kill()
    }
  }
#endif

#if LocalLlama
  public import HybridCore
  internal import Synchronization

  extension LocalWorker {
    /// Loads the model now, as ``LocalExecutor/load(progress:)``.
    ///
    /// - Parameter progress: told how far the load has come, on the thread that reads from the worker,
    ///   which it holds up: growing fractions of 1, at most a thousand.
    /// - Throws: as ``start(_:in:)``. When the task is cancelled, the load goes on.
    public func load(
      progress: (@Sendable (_ fraction: Double) -> Void)? = nil
    ) async throws(HybridError) {
      _ = try await ask(.load, { .load($0) }, progress: progress)
    }

    /// Frees the model's memory, and keeps the process. The next request loads it
    /// again.
    ///
    /// - Throws: `localBusy` while a request runs or waits; nothing is freed then.
    public func unload() async throws(HybridError) {
      guard case .up = state.withLock({ $0.phase }) else { return }
      _ = try await ask(.unload, { .unload($0) })
    }

    /// Loads the model and computes how later conversations begin, as
    /// ``LocalExecutor/prewarm(_:deadline:)``.
    ///
    /// - Returns: the tokens that later prompts find computed.
    @discardableResult
    public func prewarm(
      _ messages: [ChatMessage], deadline: Duration? = nil
    ) async throws(HybridError) -> Int {
      let reply: WorkerReply
      if let end = deadline.map({ time.now() + $0 }) {
        reply = try await withTimeBound(
          end + min(options.grace, .seconds(1)), time: time, timeout: WorkerChild.deadlineExceeded
        ) { () async throws(HybridError) in try await self.prewarmReply(messages, end) }
      } else {
        reply = try await prewarmReply(messages, nil)
      }
      guard case .done(_, let tokens) = reply else { throw WorkerFault.closedError }
      return tokens
    }

    private func prewarmReply(
      _ messages: [ChatMessage], _ end: Moment?
    ) async throws(HybridError) -> WorkerReply {
      try await ask(.prewarm) { [time] id in
        .prewarm(id, messages, remaining: end.map { $0 - time.now() })
      }
    }

    /// Ends the worker: what runs or waits fails with `engineLost`, and the process is gone before this
    /// returns, after ``Options/grace`` by force, and in a cancelled task by force at once. That holds for
    /// every caller, of several at once too. Later requests fail with `engineLost`.
    public func close() async {
      let (child, isFirst) = state.withLock { state -> (WorkerChild?, Bool) in
        switch state.phase {
        case .up(let child):
          state.phase = .closed(child)
          return (child, true)
        case .closed(let child): return (child, false)
        case .idle, .down:
          state.phase = .closed(nil)
          return (nil, false)
        }
      }
      guard let child else { return }
      if isFirst { child.close() }
      do throws(HybridError) {
        try await withTimeBound(
          time.now() + options.grace, time: time, timeout: WorkerFault.closedError
        ) { () async throws(HybridError) in try await child.ended.wait() }
      } catch {
        child.kill(.closed)
        await child.gone()
      }
    }
  }

  extension LocalWorker.Options {
    /// Refuses what no system could do; the model's own options are the worker's to judge.
    ///
    /// - Throws: `invalidConfiguration` with the option's name under `option`.
    public func validate() throws(HybridError) {
      func require(_ isPossible: Bool, _ name: String, _ nextStep: String) throws(HybridError) {
        guard !isPossible else { return }
        throw HybridError(
          .invalidConfiguration, "the option \(name) is not possible", nextStep: nextStep,
          details: ["option": .string(name)], side: .local)
      }
      try require((memoryLimit ?? 1) > 0, "memoryLimit", "Give a number of bytes over 0")
      try require((0...19).contains(niceness), "niceness", "Give 0 to 19")
      let times = Duration.zero ... .seconds(1_000_000_000)
      try require(
        stallLimit > .zero && times.contains(stallLimit), "stallLimit", "Give more than 0 seconds")
      try require(
        progressLimit > .zero && times.contains(progressLimit), "progressLimit",
        "Give more than 0 seconds")
      try require(times.contains(grace), "grace", "Give 0 seconds or more")
    }
  }
#endif

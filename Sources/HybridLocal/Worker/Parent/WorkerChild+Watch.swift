#if LocalLlama
  import HybridCore
  internal import Synchronization

  /// How long a worker is waited for, while this process is awake: see ``StallWatch``.
  struct WorkerLimits: Sendable, Hashable {
    /// With nothing from it while it owes something.
    var stall: Duration
    /// With nothing from it but that it gets on.
    var progress: Duration
    /// From a deadline, or from being asked to go, until it is ended.
    var grace: Duration

    /// From a deadline until its request fails, whatever the worker does: the engine's own word for it
    /// comes within a step.
    var lateness: Duration { min(grace, .seconds(1)) }
  }

  extension WorkerChild {
    /// Sees to it that somebody waits for it to stall, as long as it owes something.
    func watchForStall() {
      state.withLock { state in
        guard state.watcher == nil, state.fault == nil else { return }
        let first = state.stall.next
        // Holds nothing of this while it sleeps.
        state.watcher = Task { [weak self, time] in
          var moment: Moment? = first
          while let until = moment {
            do throws(CancellationError) {
              try await time.sleep(until: until)
            } catch {
              return
            }
            moment = self?.stalls()
          }
        }
      }
    }

    /// - Returns: until when to wait further; nil where there is nothing more to wait for.
    private func stalls() -> Moment? {
      let now = time.now()
      // Asked outside the lock: it is the kernel's to tell.
      let isStopped = isStopped
      let verdict = state.withLock { state -> StallWatch.Verdict? in
        // Before it is ready it owes the word that it is.
        if state.fault != nil || (state.book.isReady && state.book.isEmpty) {
          state.watcher = nil
          return nil
        }
        return state.stall.look(
          at: now, isStopped: isStopped, isHeldUp: state.isHeldUp,
          waitsForReaders: state.book.waitsForReaders)
      }
      switch verdict {
      case .wait(let until)?: return until
      case .stalled?: kill(.stalled(limits.stall))
      case .onlyBeats?: kill(.onlyBeats(limits.progress))
      case nil: break
      }
      return nil
    }

    /// Sees to it that a request ends soon after its deadline, whatever the worker says, and the worker
    /// that does not end it then. Its reader still gets what has come, at most the window.
    func watch(_ id: Int, deadline: Moment) {
      let watcher = Task { [weak self, time, limits] in
        do throws(CancellationError) {
          try await time.sleep(until: deadline + limits.lateness)
          self?.give(up: id, Self.deadlineExceeded)
          try await Self.wait(limits.grace - limits.lateness, time) { self?.isStopped ?? false }
        } catch {
          return
        }
        if self?.isOpen(id) == true { self?.kill(.overdue) }
      }
      keep(watcher, for: id)
    }

    /// Sees to it that a worker that does not heed being asked to stop is ended. One whose reader is slow
    /// gets the time twice: first its request is given up.
    func watchCancelled(_ id: Int) {
      let watcher = Task { [weak self, time, limits] in
        do throws(CancellationError) {
          try await Self.wait(limits.grace, time) { self?.isStopped ?? false }
          if self?.isBeingRead(id) == true {
            self?.give(up: id, .cancelledByTask)
            try await Self.wait(limits.grace, time) { self?.isStopped ?? false }
          }
        } catch {
          return
        }
        if self?.isOpen(id) == true { self?.kill(.overdue) }
      }
      keep(watcher, for: id)
    }

    /// Waits while this process is awake, and longer for a worker that is stopped, within bounds.
    private static func wait(
      _ duration: Duration, _ time: any TimeSource, isStopped: () -> Bool
    ) async throws(CancellationError) {
      for _ in 0...StallWatch.mostExcuses {
        let step = duration / StallWatch.steps
        for _ in 0..<StallWatch.steps { try await time.sleep(until: time.now() + step) }
        if !isStopped() { return }
      }
    }

    /// Whether only its reader keeps a request from its end.
    private func isBeingRead(_ id: Int) -> Bool { state.withLock { $0.book.isBeingRead(id) } }

    private func isOpen(_ id: Int) -> Bool { state.withLock { $0.book.isOpen(id) } }

    static let deadlineExceeded = HybridError(
      .deadlineExceeded, "the request's deadline passed while the worker was at work on it",
      nextStep: "Allow more time, or ask for fewer tokens", side: .local)
  }
#endif

#if LocalLlama
  import HybridCore
  internal import Synchronization

  /// How long a worker is waited for.
  struct WorkerLimits: Sendable, Hashable {
    /// With nothing from it while it owes something.
    var stall: Duration
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
        let first = state.heard + limits.stall
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
      let next = state.withLock { state -> Moment? in
        // Before it is ready it owes the word that it is.
        if state.fault != nil || (state.book.isReady && state.book.isEmpty) {
          state.watcher = nil
          return nil
        }
        return state.heard + limits.stall
      }
      guard let next, next <= now else { return next }
      kill(.stalled(limits.stall))
      return nil
    }

    /// Sees to it that a request ends soon after its deadline, and the worker that does not end it then.
    func watch(_ id: Int, deadline: Moment) {
      let watcher = Task { [weak self, time, limits] in
        var moment = deadline + limits.lateness
        do throws(CancellationError) {
          repeat {
            try await time.sleep(until: moment)
            moment = time.now() + limits.lateness
          } while self?.isBeingRead(id) == true
          self?.give(up: id, Self.deadlineExceeded)
          try await time.sleep(until: deadline + limits.grace)
        } catch {
          return
        }
        if self?.isOpen(id) == true { self?.kill(.overdue) }
      }
      keep(watcher, for: id)
    }

    /// Sees to it that a worker that does not heed being asked to stop is ended.
    func watchCancelled(_ id: Int) {
      let watcher = Task { [weak self, time, limits] in
        do throws(CancellationError) {
          repeat {
            try await time.sleep(until: time.now() + limits.grace)
          } while self?.isBeingRead(id) == true
        } catch {
          return
        }
        if self?.isOpen(id) == true { self?.kill(.overdue) }
      }
      keep(watcher, for: id)
    }

    /// Whether only its reader keeps a request from its end.
    private func isBeingRead(_ id: Int) -> Bool { state.withLock { $0.book.isBeingRead(id) } }

    private func isOpen(_ id: Int) -> Bool { state.withLock { $0.book.isOpen(id) } }

    static let deadlineExceeded = HybridError(
      .deadlineExceeded, "the request's deadline passed while the worker was at work on it",
      nextStep: "Allow more time, or ask for fewer tokens", side: .local)
  }
#endif

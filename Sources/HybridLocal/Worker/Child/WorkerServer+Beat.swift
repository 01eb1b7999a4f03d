#if LocalLlama
  import HybridCore
  internal import Synchronization

  extension WorkerServer {
    /// What changes while a worker gets on.
    private struct Stamp: Hashable {
      var sent: Int
      var loaded: Double?
      /// What was read from disks: a large file is mapped whole before a load tells of any part.
      var read: String?
      var cells: Int
    }

    /// Tells the parent that it gets on, as long as it owes something and does.
    func watchProgress() {
      state.withLock { state in
        guard state.ticker == nil else { return }
        let beat = state.beat
        state.ticker = Task { [self] in
          var last = stamp(of: self.state.withLock { $0 })
          while true {
            do throws(CancellationError) {
              try await time.sleep(until: time.now() + beat)
            } catch {
              return
            }
            let present = self.state.withLock { state in
              if state.calls.isEmpty { state.ticker = nil }
              return state
            }
            if present.calls.isEmpty { return }
            if stamp(of: present) != last || present.isInnocent { send(.beat) }
            last = self.stamp(of: self.state.withLock { $0 })
          }
        }
      }
    }

    private func stamp(of state: State) -> Stamp {
      var loaded: Double?
      var read: String?
      if case .loading(let engine, _)? = state.executor?.lifecycle.phase {
        loaded = engine.loading.fraction
        read = Machine.current.files.read("/proc/self/io")?
          .split(separator: "\n").first { $0.hasPrefix("read_bytes:") }.map(String.init)
      }
      return Stamp(
        sent: state.sent, loaded: loaded, read: read, cells: state.executor?.runningCells ?? 0)
    }
  }

  extension WorkerServer.State {
    /// Whether standing still is nothing to worry about: all that is owed waits for its reader, or
    /// threads are being measured, of which nobody hears.
    fileprivate var isInnocent: Bool {
      if calls.values.allSatisfy({ $0.gate?.isWaiting ?? false }) { return true }
      guard let executor, executor.options.autoTune == .measured,
        case .loading(let engine, _) = executor.lifecycle.phase
      else { return false }
      return engine.loading.fraction >= 0.99
    }
  }
#endif

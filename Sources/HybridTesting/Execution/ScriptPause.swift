import HybridCore
private import Synchronization

/// The waits and gates of one script, and the end that may come in the middle of one.
final class ScriptPause: Sendable {
  private struct State {
    var isStopped = false
    var task: Task<Bool, Never>?
  }

  private let state = Mutex(State())

  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Ends the wait of the moment and all later ones at once.
  ///
  /// - Returns: false where it was stopped before.
  func stop() -> Bool {
    let (isNews, task) = state.withLock { state in
      defer { state.isStopped = true }
      return (!state.isStopped, state.task)
    }
    task?.cancel()
    return isNews
  }

  func pass(_ gate: Gate) async {
    await wait(for: Task { await gate.pass() })
  }

  func sleep(until moment: Moment, on time: any TimeSource) async {
    await wait(
      for: Task {
        do {
          try await time.sleep(until: moment)
          return true
        } catch {
          return false
        }
      })
  }

  /// A task of its own, so that `stop()` reaches it from any thread.
  private func wait(for task: Task<Bool, Never>) async {
    let isStopped = state.withLock { state in
      state.task = task
      return state.isStopped
    }
    if isStopped { task.cancel() }
    await withTaskCancellationHandler {
      _ = await task.value
    } onCancel: {
      task.cancel()
    }
    state.withLock { $0.task = nil }
  }
}

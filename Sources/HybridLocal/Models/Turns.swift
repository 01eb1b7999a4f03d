package import HybridCore
private import Synchronization

/// One after the other, in order of arrival, and nobody blocks a thread while waiting.
package final class Turns: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [OneShot<Void>] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// Waits for its turn, which lasts until ``give()``.
  ///
  /// - Throws: `cancelled` when the task is cancelled; then there is no turn to give back.
  package func take() async throws(HybridError) {
    let turn = OneShot<Void>()
    let isFree = state.withLock { state in
      if state.isTaken {
        state.waiting.append(turn)
        return false
      }
      state.isTaken = true
      return true
    }
    if isFree { return }
    do throws(HybridError) {
      try await turn.wait()
    } catch {
      let place = state.withLock { state in
        let place = state.waiting.firstIndex { $0 === turn }
        if let place { state.waiting.remove(at: place) }
        return place
      }
      // It had come in the very moment.
      if place == nil { give() }
      throw error
    }
  }

  package func give() {
    let next = state.withLock { state -> OneShot<Void>? in
      if state.waiting.isEmpty {
        state.isTaken = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.set(.success(()))
  }
}

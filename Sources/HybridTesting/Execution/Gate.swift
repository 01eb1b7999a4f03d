private import Synchronization

/// A point that nothing passes until a test opens it.
public final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    var watchers: [Int: (count: Int, wake: CheckedContinuation<Void, Never>)] = [:]
    var cancelled: Set<Int> = []
    var nextID = 0
  }

  private let state = Mutex(State())

  public init() {}

  /// Lets everything pass, now and later.
  public func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return state.waiting.sorted { $0.key < $1.key }.map(\.value)
    }
    for continuation in waiting { continuation.resume(returning: true) }
  }

  /// Returns once at least `count` have reached the gate, or when the task is cancelled.
  public func arrivals(atLeast count: Int = 1) async {
    let id = makeID()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.cancelled.contains(id) || state.arrivals >= count { return true }
          state.watchers[id] = (count, continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let watcher = state.withLock { state in
        state.cancelled.insert(id)
        return state.watchers.removeValue(forKey: id)
      }
      watcher?.wake.resume()
    }
    state.withLock { _ = $0.cancelled.remove(id) }
  }

  /// Waits until the gate is open.
  ///
  /// - Returns: false where the task was cancelled first.
  public func pass() async -> Bool {
    let id = makeID()
    let hasPassed = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome = state.withLock { state -> Bool? in
          if state.cancelled.contains(id) { return false }
          if state.isOpen { return true }
          state.waiting[id] = continuation
          return nil
        }
        arrive()
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        state.cancelled.insert(id)
        return state.waiting.removeValue(forKey: id)
      }
      waiting?.resume(returning: false)
    }
    state.withLock { _ = $0.cancelled.remove(id) }
    return hasPassed
  }

  private func arrive() {
    let watchers = state.withLock { state in
      state.arrivals += 1
      let satisfied = state.watchers.filter { $0.value.count <= state.arrivals }
      for id in satisfied.keys { state.watchers[id] = nil }
      return satisfied.map(\.value.wake)
    }
    for watcher in watchers { watcher.resume() }
  }

  private func makeID() -> Int {
    state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
  }
}

package import HybridCore
private import Synchronization

/// A result that comes once and that any number of tasks wait for.
package final class OneShot<Value: Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Result<Value, HybridError>, Never>

  private struct State {
    var result: Result<Value, HybridError>?
    var waiters: [Int: Waiter] = [:]
    var nextKey = 0
    /// Waits that were cancelled before they began.
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())

  package init() {}

  /// The first result counts.
  package func set(_ result: Result<Value, HybridError>) {
    let waiters = state.withLock { state in
      guard state.result == nil else { return [Waiter]() }
      state.result = result
      defer { state.waiters.removeAll() }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume(returning: result) }
  }

  /// - Throws: the error that came instead; `cancelled` when the task is cancelled.
  package func wait() async throws(HybridError) -> Value {
    let key = state.withLock { state in
      state.nextKey += 1
      return state.nextKey
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let immediate = state.withLock { state -> Result<Value, HybridError>? in
          if let result = state.result { return result }
          if state.cancelled.remove(key) != nil { return .failure(.cancelledByTask) }
          state.waiters[key] = continuation
          return nil
        }
        if let immediate { continuation.resume(returning: immediate) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        if let waiter = state.waiters.removeValue(forKey: key) { return waiter as Waiter? }
        if state.result == nil { state.cancelled.insert(key) }
        return nil
      }
      waiter?.resume(returning: .failure(.cancelledByTask))
    }
    return try result.get()
  }
}

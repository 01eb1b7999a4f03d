private import Synchronization

/// Holds back a run's events while too many bytes of them are under way unread.
final class CreditGate: Sendable {
  private struct State {
    var credit: Int
    var isOpen = true
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state: Mutex<State>

  /// - Parameter credit: bytes that may be under way.
  init(_ credit: Int) {
    state = Mutex(State(credit: credit))
  }

  /// Whether its one user waits for credit.
  var isWaiting: Bool { state.withLock { $0.waiter != nil } }

  /// Takes the bytes once any credit is left: the last frame may exceed it.
  ///
  /// - Returns: false where nobody wants them any more.
  func take(_ bytes: Int) async -> Bool {
    await withCheckedContinuation { continuation in
      let waits = state.withLock { state in
        if !state.isOpen || state.credit > 0 { return false }
        state.waiter = continuation
        return true
      }
      if !waits { continuation.resume() }
    }
    return state.withLock { state in
      state.credit -= bytes
      return state.isOpen
    }
  }

  func give(_ bytes: Int) {
    let waiter = state.withLock { state in
      state.credit += bytes
      return state.credit > 0 ? state.waiter.take() : nil
    }
    waiter?.resume()
  }

  /// Nobody waits any more, and nothing is wanted.
  func close() {
    let waiter = state.withLock { state in
      state.isOpen = false
      return state.waiter.take()
    }
    waiter?.resume()
  }
}

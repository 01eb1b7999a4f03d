private import Synchronization

/// A call's one chance to come again with another key after a 401.
final class KeyRenewal: Sendable {
  private struct State {
    var isSpent = false
    var headers: HTTPHeaders?
  }

  private let state = Mutex(State())

  /// True the first time.
  func spend() -> Bool {
    state.withLock { state in
      defer { state.isSpent = true }
      return !state.isSpent
    }
  }

  /// What the source had instead, for the next try alone.
  func keep(_ headers: HTTPHeaders) {
    state.withLock { $0.headers = headers }
  }

  func take() -> HTTPHeaders? {
    state.withLock { state in
      defer { state.headers = nil }
      return state.headers
    }
  }
}

internal import HybridCore
private import Synchronization

/// The tries of one request, as the sides report them from their own threads.
final class AttemptLog: Sendable {
  private struct State {
    var attempts: [Attempt] = []
    var taken = 0
    var sides: Set<Side> = []
    var opened = 0
    var openedAt = Moment.origin
  }

  private let state = Mutex(State())

  var all: [Attempt] { state.withLock { $0.attempts } }

  /// Whether `side` was started.
  func includes(_ side: Side) -> Bool {
    state.withLock { $0.sides.contains(side) }
  }

  /// `side` is about to start.
  func open(side: Side, at moment: Moment) {
    state.withLock { state in
      state.sides.insert(side)
      state.opened = state.attempts.count
      state.openedAt = moment
    }
  }

  func append(_ attempt: Attempt) {
    state.withLock { $0.attempts.append(attempt) }
  }

  /// `side` ended. An executor that makes one try and no more need not report it: it is added here.
  func close(side: Side, failure: ErrorCode?, status: Int? = nil, at moment: Moment) {
    state.withLock { state in
      guard state.attempts.count == state.opened else { return }
      state.attempts.append(
        Attempt(
          side: side, failure: failure, status: status, duration: moment - state.openedAt))
    }
  }

  /// Those added since the last call.
  func takeNew() -> [Attempt] {
    state.withLock { state in
      defer { state.taken = state.attempts.count }
      return Array(state.attempts[state.taken...])
    }
  }
}

internal import HybridCore
private import Synchronization

/// The tries of one call: each is begun, may be answered, and ends exactly once.
///
/// A try may be ended from any thread, because a call that is dropped must give its permit back.
final class TryLedger: Sendable {
  private struct Open {
    var permit: CircuitBreaker.Permit
    var begun: Moment
    var status: Int?
  }

  private struct State {
    var open: Open?
    var attempts: [Attempt] = []
  }

  private let state = Mutex(State())
  private let settings: RetryLoop.Settings
  private let onAttempt: @Sendable (Attempt) -> Void

  init(settings: RetryLoop.Settings, onAttempt: @escaping @Sendable (Attempt) -> Void) {
    self.settings = settings
    self.onAttempt = onAttempt
  }

  /// Those that have ended.
  var attempts: [Attempt] { state.withLock { $0.attempts } }

  func begin(_ permit: CircuitBreaker.Permit) {
    let now = settings.time.now()
    state.withLock { $0.open = Open(permit: permit, begun: now) }
  }

  /// The gateway accepted the call; its answer may take minutes more.
  func answered(status: Int) {
    let now = settings.time.now()
    state.withLock { state in
      guard let permit = state.open?.permit else { return }
      state.open?.status = status
      state.open?.permit = settings.health.answering(permit, settings.target, at: now)
    }
  }

  /// - Parameter code: nil for a success.
  func end(_ code: ErrorCode?, status: Int? = nil, hint: Duration? = nil) {
    let now = settings.time.now()
    let ended = state.withLock { state -> (Open, Attempt)? in
      guard let open = state.open else { return nil }
      state.open = nil
      let attempt = Attempt(
        side: .remote, failure: code, status: status ?? open.status, duration: now - open.begun)
      state.attempts.append(attempt)
      return (open, attempt)
    }
    guard let (open, attempt) = ended else { return }
    settings.health.ended(
      open.permit, settings.target, code, table: settings.table,
      gatewayAnswered: attempt.status != nil, hint: hint, at: now, random: settings.fraction())
    onAttempt(attempt)
  }
}

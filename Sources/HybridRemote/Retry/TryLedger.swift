internal import HybridCore
private import Synchronization

/// The tries of one call: each is begun, may be answered, and ends exactly once.
///
/// A try may be ended from any thread, because a call that is dropped must give its permit back.
final class TryLedger: Sendable {
  private struct Open {
    var permit: CircuitBreaker.Permit
    var begun: Moment
    /// nil: nothing was sent yet.
    var sent: Moment?
    var status: Int?

    func contact(at now: Moment) -> GatewayContact {
      if status != nil { return .response }
      return sent.map { .silence(now - $0) } ?? .none
    }
  }

  private struct State {
    var open: Open?
    var attempts: [Attempt] = []
    var assumed: CoolDown?
  }

  private let state = Mutex(State())
  private let settings: RetryLoop.Settings
  private let deadline: Moment?
  private let onAttempt: @Sendable (Attempt) -> Void

  init(settings: RetryLoop.Settings, context: ExecutionContext) {
    self.settings = settings
    deadline = context.deadline
    onAttempt = context.onAttempt
  }

  /// Those that have ended.
  var attempts: [Attempt] { state.withLock { $0.attempts } }

  /// The assumed cool-down that the last of them to begin one began: however the tries after it fail,
  /// it is this call's own.
  var assumedCoolDown: CoolDown? { state.withLock { $0.assumed } }

  func begin(_ permit: CircuitBreaker.Permit) {
    let now = settings.time.now()
    state.withLock { $0.open = Open(permit: permit, begun: now) }
  }

  /// The request goes to the transport now.
  func sent() {
    let now = settings.time.now()
    state.withLock { $0.open?.sent = now }
  }

  /// A head came back, whatever it says.
  func responded(status: Int) {
    state.withLock { $0.open?.status = status }
  }

  /// The gateway accepted the call; its answer may take minutes more.
  func answered() {
    let now = settings.time.now()
    state.withLock { state in
      guard let permit = state.open?.permit else { return }
      state.open?.permit = settings.health.answering(permit, settings.target, at: now)
    }
  }

  /// - Parameter code: nil for a success. A caller that gives up at its deadline ends the try as the
  ///   deadline itself does.
  func end(_ code: ErrorCode?, status: Int? = nil, hint: Duration? = nil) {
    let now = settings.time.now()
    var code = code
    if code == .cancelled, let deadline, deadline <= now { code = .deadlineExceeded }
    let ended = state.withLock { [code] state -> (Open, Attempt)? in
      guard var open = state.open else { return nil }
      state.open = nil
      open.status = status ?? open.status
      let attempt = Attempt(
        side: .remote, failure: code, status: open.status, duration: now - open.begun)
      state.attempts.append(attempt)
      return (open, attempt)
    }
    guard let (open, attempt) = ended else { return }
    let coolDown = settings.health.ended(
      open.permit, settings.target, code, table: settings.table,
      contact: open.contact(at: now), hint: hint, at: now, random: settings.fraction())
    if let coolDown, coolDown.isAssumed { state.withLock { $0.assumed = coolDown } }
    onAttempt(attempt)
  }
}

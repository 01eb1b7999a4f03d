internal import HybridCore

/// Which of an exchange's limits is the next to pass, and when. The time is a parameter.
struct TransferClock: Sendable {
  private enum Phase {
    /// Looking up the name, connecting, shaking hands.
    case connecting(since: Moment)
    /// Connected; no byte of the body yet.
    case waiting(since: Moment)
    /// Bytes of the body came.
    case receiving(last: Moment)
    /// The consumer does not pull: only the total limit runs.
    case paused
    /// The consumer needs no more.
    case draining(since: Moment)
  }

  private let limits: TransportLimits
  private let start: Moment
  private var phase: Phase

  init(limits: TransportLimits, start: Moment) {
    self.limits = limits
    self.start = start
    phase = .connecting(since: start)
  }

  mutating func connected(at now: Moment) {
    if case .connecting = phase { phase = .waiting(since: now) }
  }

  /// Bytes of the body came.
  mutating func received(at now: Moment) {
    phase = .receiving(last: now)
  }

  mutating func paused() {
    phase = .paused
  }

  mutating func resumed(at now: Moment) {
    if case .paused = phase { phase = .receiving(last: now) }
  }

  mutating func draining(at now: Moment) {
    phase = .draining(since: now)
  }

  /// The end of a stream comes with its last event or not at all.
  private static let drainLimit = Duration.milliseconds(250)

  struct Limit: Hashable {
    var code: ErrorCode
    var length: Duration
    var moment: Moment
  }

  /// nil: no limit runs.
  var next: Limit? {
    let own: Limit? =
      switch phase {
      case .connecting(let since): limit(.timeoutConnect, limits.connect, since)
      case .waiting(let since): limit(.timeoutFirstByte, limits.firstByte, since)
      case .receiving(let last): limit(.timeoutIdle, limits.idle, last)
      case .paused: nil
      case .draining(let since): limit(.timeoutIdle, Self.drainLimit, since)
      }
    let total = limit(.timeoutTotal, limits.total, start)
    guard let own, let total else { return own ?? total }
    return own.moment <= total.moment ? own : total
  }

  private func limit(_ code: ErrorCode, _ length: Duration?, _ since: Moment) -> Limit? {
    length.map { Limit(code: code, length: $0, moment: since + $0) }
  }
}

/// All that is remembered of one gateway and model: breaker, cool-down, retry budget, and whether it
/// is offline. Used by the gateway client and, through ``availability(at:)``, by routing.
///
///     switch health.admit(at: now) {
///     case .allowed(let permit):
///       … one try …
///       health.ended(permit, code, table: table, hint: hint, at: now, random: random)
///     case .refused(let availability): …
///     }
public struct TargetHealth: Sendable, Hashable {
  public private(set) var breaker: CircuitBreaker
  public private(set) var budget: RetryBudget
  public private(set) var coolDown: CoolDown?

  /// Since when the gateway is declared or known to be out of reach; nil when it is not. Set from
  /// outside; no call is admitted while it is.
  public var offlineSince: Moment?

  private let coolDowns: CoolDown.Settings

  public init(
    breaker: CircuitBreaker.Settings = CircuitBreaker.Settings(),
    budget: RetryBudget = RetryBudget(),
    coolDowns: CoolDown.Settings = CoolDown.Settings()
  ) {
    self.breaker = CircuitBreaker(settings: breaker)
    self.budget = budget
    self.coolDowns = coolDowns
  }

  public enum Admission: Sendable, Hashable {
    /// Hand the permit back by `ended`, however the try ends.
    case allowed(CircuitBreaker.Permit)
    /// Never `available`.
    case refused(GatewayStatus.Availability)
  }

  /// Asks to make one try.
  public mutating func admit(at now: Moment) -> Admission {
    let availability = availability(at: now)
    guard availability == .available else { return .refused(availability) }
    switch breaker.admit(at: now) {
    case .allowed(let permit), .probe(let permit): return .allowed(permit)
    case .refused(let until):
      return .refused(.breakerOpen(until: until, failures: breaker.failuresInARow))
    }
  }

  /// What a try at `now` would meet. Changes nothing.
  public func availability(at now: Moment) -> GatewayStatus.Availability {
    if let coolDown, coolDown.isActive(at: now) {
      return .coolingDown(coolDown.code, until: coolDown.until)
    }
    if let offlineSince { return .offline(since: offlineSince) }
    if let until = breaker.refusal(at: now) {
      return .breakerOpen(until: until, failures: breaker.failuresInARow)
    }
    return .available
  }

  /// The gateway began to answer; see ``CircuitBreaker/answering(_:at:)``.
  public mutating func answering(
    _ permit: CircuitBreaker.Permit, at now: Moment
  ) -> CircuitBreaker.Permit {
    breaker.answering(permit, at: now)
  }

  /// A try ended.
  ///
  /// - Parameters:
  ///   - code: nil for a success.
  ///   - table: says what the failure counts for.
  ///   - contact: what was seen of the gateway.
  ///   - hint: how long the gateway asked to be left alone.
  ///   - random: uniform, from 0 to 1.
  public mutating func ended(
    _ permit: CircuitBreaker.Permit, _ code: ErrorCode?, table: FailureTable,
    contact: GatewayContact = .response, hint: Duration? = nil, at now: Moment, random: Double
  ) {
    let outcome = table.outcome(
      of: code, after: contact, silenceLimit: breaker.settings.silenceLimit)
    let row = code.map { table.row(for: $0) }
    switch outcome {
    case .succeeded: budget.trySucceeded()
    case .failed: budget.tryFailed()
    // "Slow down" is what retries must not multiply; a wrong request says nothing about them.
    case .answered where row?.retry != .never: budget.tryFailed()
    case .answered, .abandoned: break
    }
    breaker.ended(permit, outcome, at: now, random: random)
    if let code, let row {
      let next = CoolDown.after(code, row: row, hint: hint, at: now, settings: coolDowns)
      coolDown = CoolDown.later(coolDown, next)
    }
  }
}

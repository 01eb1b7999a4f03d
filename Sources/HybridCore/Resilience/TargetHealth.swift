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

  /// Of the cool-downs the one that ends last.
  public var coolDown: CoolDown? { CoolDown.later(named, assumed) }

  /// The gateway named its end, or the setting for money and quota did.
  private var named: CoolDown?

  /// Kept apart, so that it never hides a shorter one that holds for everyone.
  private var assumed: CoolDown?

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
  ///
  /// - Parameter own: a cool-down that the call's own try began, if it has waited since then
  ///   as ``RetryPolicy`` said. Where the gateway named no time, that wait was all there was to keep:
  ///   assumed cool-downs hold for other calls alone.
  public mutating func admit(at now: Moment, after own: CoolDown? = nil) -> Admission {
    let availability = availability(at: now, after: own)
    guard availability == .available else { return .refused(availability) }
    switch breaker.admit(at: now) {
    case .allowed(let permit), .probe(let permit): return .allowed(permit)
    case .refused(let until):
      return .refused(.breakerOpen(until: until, failures: breaker.failuresInARow))
    }
  }

  /// What a try at `now` would meet. Changes nothing.
  ///
  /// - Parameter own: see ``admit(at:after:)``.
  public func availability(
    at now: Moment, after own: CoolDown? = nil
  ) -> GatewayStatus.Availability {
    if let coolDown = own?.isAssumed == true ? named : coolDown, coolDown.isActive(at: now) {
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
  /// - Returns: the cool-down that the failure began; nil where it began none.
  @discardableResult
  public mutating func ended(
    _ permit: CircuitBreaker.Permit, _ code: ErrorCode?, table: FailureTable,
    contact: GatewayContact = .response, hint: Duration? = nil, at now: Moment, random: Double
  ) -> CoolDown? {
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
    guard let code, let row else { return nil }
    let next = CoolDown.after(code, row: row, hint: hint, at: now, settings: coolDowns)
    if next?.isAssumed == true {
      assumed = CoolDown.later(assumed, next)
    } else {
      named = CoolDown.later(named, next)
    }
    return next
  }
}

internal import HybridCore
private import Synchronization

/// What is remembered of a gateway, shared by all calls of one client.
final class GatewayHealth: Sendable {
  fileprivate struct State {
    var book: TargetBook
    var offlineSince: Moment?
  }

  private let state: Mutex<State>

  init(new: TargetHealth) {
    state = Mutex(State(book: TargetBook(new: new)))
  }

  func setOffline(since moment: Moment?) {
    state.withLock { $0.offlineSince = moment }
  }

  func availability(of target: GatewayTarget, at now: Moment) -> GatewayStatus.Availability {
    state.withLock { $0.health(of: target).availability(at: now) }
  }

  func admit(
    _ target: GatewayTarget, at now: Moment, after own: CoolDown?
  ) -> TargetHealth.Admission {
    change(target) { $0.admit(at: now, after: own) }
  }

  func answering(
    _ permit: CircuitBreaker.Permit, _ target: GatewayTarget, at now: Moment
  ) -> CircuitBreaker.Permit {
    change(target) { $0.answering(permit, at: now) }
  }

  func ended(
    _ permit: CircuitBreaker.Permit, _ target: GatewayTarget, _ code: ErrorCode?,
    table: FailureTable, contact: GatewayContact, hint: Duration?, at now: Moment, random: Double
  ) -> CoolDown? {
    change(target) {
      $0.ended(
        permit, code, table: table, contact: contact, hint: hint, at: now, random: random)
    }
  }

  func budget(of target: GatewayTarget) -> RetryBudget {
    state.withLock { $0.book[target].budget }
  }

  private func change<Result: Sendable>(
    _ target: GatewayTarget, _ body: (inout TargetHealth) -> Result
  ) -> Result {
    state.withLock { state in
      var health = state.health(of: target)
      defer { state.book[target] = health }
      return body(&health)
    }
  }
}

extension GatewayHealth.State {
  /// That it is offline holds for every model.
  fileprivate func health(of target: GatewayTarget) -> TargetHealth {
    var health = book[target]
    health.offlineSince = offlineSince
    return health
  }
}

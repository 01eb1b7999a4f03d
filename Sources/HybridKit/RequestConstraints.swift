internal import HybridCore
internal import HybridRouting

/// What decides about a request before either side is asked, and again before every attempt:
/// preference, privacy and kill switch.
///
/// Holds no executor, so that a side may keep the permit that it was given.
struct RequestConstraints: Sendable {
  let policy: RoutingPolicy
  let hasLocal: Bool
  let hasGateway: Bool
  let switches: KillSwitches
  let time: any TimeSource

  /// What the request and the operator say.
  func facts(for request: ChatRequest) -> RoutingFacts {
    RoutingFacts(
      request: RequestFacts(request), local: hasLocal ? LocalFacts() : nil,
      remote: hasGateway ? RemoteFacts() : nil,
      limits: LimitFacts(switchedOff: switches.sidesOff), now: time.now())
  }

  /// Why `side` must not have `request`, whatever either side's state.
  func reason(against side: Side, for request: ChatRequest) -> Reason? {
    policy.plan(for: facts(for: request)).reason(against: side)
  }

  /// The same as an error.
  func refusal(of side: Side, for request: ChatRequest) -> HybridError? {
    reason(against: side, for: request).map {
      .refused(side, $0, policy.preference.narrowed(by: request.preference))
    }
  }
}

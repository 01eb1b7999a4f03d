internal import HybridCore
internal import HybridRouting

extension HybridChat {
  /// Everything the decision may look at, gathered once.
  ///
  /// A side is asked a question only while nothing known so far excludes it: under `localOnly` the
  /// gateway is not asked even for its state, and no prompt is counted for a model that is not there.
  func facts(for request: ChatRequest) async -> RoutingFacts {
    var facts = constraints.facts(for: request)
    if let local, policy.mayStill(use: .local, facts) {
      facts.local?.status = await local.status()
      if policy.mayStill(use: .local, facts) {
        facts.local?.measurement = await local.measure(request)
      }
    }
    if let gateway, policy.mayStill(use: .remote, facts) {
      facts.remote?.status = await gateway.status(model: request.model ?? gatewayModel)
    }
    return facts
  }

  var constraints: RequestConstraints {
    RequestConstraints(
      policy: policy, hasLocal: local != nil, hasGateway: gateway != nil, switches: switches,
      time: time)
  }
}

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
  func refusal(of side: Side, for request: ChatRequest) -> HybridError? {
    let plan = policy.plan(for: facts(for: request))
    guard let reason = plan.reason(against: side) else { return nil }
    var details = reason.details
    details["code"] = .string(reason.code.rawValue)
    return HybridError(
      side == .local ? .remoteUnavailable : .localRequired,
      "the \(side.rawValue) side may not have this request: \(reason.message)",
      nextStep: ReasonText.of(reason.code).nextStep, details: details, side: side)
  }
}

extension RoutingPolicy {
  fileprivate func mayStill(use side: Side, _ facts: RoutingFacts) -> Bool {
    !plan(for: facts).isExcluded(side)
  }
}

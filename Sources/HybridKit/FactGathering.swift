internal import HybridCore
internal import HybridRouting

extension HybridChat {
  /// Everything the decision may look at, gathered once.
  ///
  /// A side is asked a question only while nothing known so far excludes it: under `localOnly` the
  /// gateway is not asked even for its state, and no prompt is counted for a model that is not there.
  func facts(for request: ChatRequest) async -> RoutingFacts {
    var facts = bareFacts(for: request)
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

  /// Why `side` must not have `request`, whatever either side's state: preference, privacy and kill
  /// switch, asked again before every attempt.
  func refusal(of side: Side, for request: ChatRequest) -> HybridError? {
    let plan = policy.plan(for: bareFacts(for: request))
    guard let reason = plan.reason(against: side) else {
      return nil
    }
    return HybridError(
      side == .local ? .remoteUnavailable : .localRequired,
      "the \(side.rawValue) side may not have this request",
      details: ["code": .string(reason.code.rawValue)])
  }

  /// What the request and the operator say, before either side is asked.
  private func bareFacts(for request: ChatRequest) -> RoutingFacts {
    RoutingFacts(
      request: RequestFacts(request), local: local.map { _ in LocalFacts() },
      remote: gateway.map { _ in RemoteFacts() },
      limits: LimitFacts(switchedOff: switches.sidesOff), now: time.now())
  }
}

extension RoutingPolicy {
  fileprivate func mayStill(use side: Side, _ facts: RoutingFacts) -> Bool {
    !plan(for: facts).isExcluded(side)
  }
}

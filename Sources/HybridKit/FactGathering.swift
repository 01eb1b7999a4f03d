internal import HybridCore
internal import HybridRouting

extension HybridChat {
  /// Everything the decision may look at, gathered once.
  ///
  /// What counts is the time that is left once the prompt has been counted, which may take a while.
  /// A side is asked a question only while nothing known so far excludes it: under `localOnly` the
  /// gateway is not asked even for its state, and no prompt is counted for a model that is not there.
  func facts(for request: ChatRequest, begun: Moment) async -> RoutingFacts {
    var facts = constraints.facts(for: request)
    if let local, policy.mayStill(use: .local, facts) {
      facts.local?.status = await local.status(model: request.model)
      if policy.mayStill(use: .local, facts) {
        facts.local?.measurement = await local.measure(request)
      }
    }
    if let gateway, policy.mayStill(use: .remote, facts) {
      facts.remote?.status = await gateway.status(model: request.model)
    }
    facts.now = time.now()
    facts.request.deadlineRemaining = request.deadline.map { $0 - (facts.now - begun) }
    return facts
  }

  var constraints: RequestConstraints {
    RequestConstraints(
      policy: policy, hasLocal: local != nil, hasGateway: gateway != nil, switches: switches,
      time: time)
  }
}

extension RoutingPolicy {
  fileprivate func mayStill(use side: Side, _ facts: RoutingFacts) -> Bool {
    !plan(for: facts).isExcluded(side)
  }
}

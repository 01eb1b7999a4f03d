import HybridCore

extension RoutingPolicy {
  /// Decides where a request with these facts runs.
  ///
  /// Pure: the same policy and facts give the same plan, and nothing is read, waited for or written.
  /// Costs some tens of microseconds. Never fails: where no side is left the plan says so.
  public func plan(for facts: RoutingFacts) -> RoutingPlan {
    let preference = preference.narrowed(by: facts.request.preference)
    let checks = Ladder.checks.flatMap {
      $0.entries(policy: self, facts: facts, preference: preference)
    }

    let preferred = (preference ?? self.preference).side
    let excluded = Set(checks.lazy.filter(\.excludes).map(\.side))
    let chosen = [preferred, preferred.other].first { !excluded.contains($0) }
    let reason = chosen == preferred ? nil : checks.first { $0.side == preferred && $0.excludes }
    let mayFallBack = fallbackOnFailure && chosen != nil

    return RoutingPlan(
      effectivePreference: preference,
      ranOn: chosen,
      reason: reason.map { Reason($0.code, details: $0.details) },
      checks: checks,
      promptTokens: PromptTokens(facts),
      reservedOutputTokens: reservedTokens(for: facts.request),
      contextLength: facts.local?.status?.contextLength,
      // Under an …Only the other side is excluded by the preference, so it is none here either.
      fallback: mayFallBack
        ? chosen.map(\.other).flatMap { excluded.contains($0) ? nil : $0 } : nil,
      counterfactual: Counterfactual(
        chosen: chosen, preferred: preferred, checks: checks
      ).sentence)
  }
}

extension PromptTokens {
  init?(_ facts: RoutingFacts) {
    if case .counted(let count) = facts.local?.measurement {
      self = .counted(count)
    } else if let bytes = facts.request.promptBytes {
      self = .estimated(TokenEstimate(bytes: bytes))
    } else {
      return nil
    }
  }
}

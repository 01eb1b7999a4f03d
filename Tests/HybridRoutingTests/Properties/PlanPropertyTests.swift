import HybridCore
import HybridRouting
import HybridTesting
import Testing

/// The invariants of the decision, over generated facts.
@Suite(.serialized)
struct PlanPropertyTests {
  static let cases = [1, 2, 3, 4].flatMap { GeneratedCase.cases(seed: $0, count: 500) }
    .map { ($0, $0.policy.plan(for: $0.facts)) }

  /// Checks `property` on every one of `cases`, and reports the first ones that break it.
  private func forAll(
    _ cases: some Sequence<(GeneratedCase, RoutingPlan)> = Self.cases,
    _ property: (GeneratedCase, RoutingPlan) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var failures = 0
    for (generated, plan) in cases where failures < 3 {
      if !property(generated, plan) {
        failures += 1
        Issue.record("\(generated) gave \(plan)", sourceLocation: sourceLocation)
      }
    }
  }

  @Test func `every check excludes and passes somewhere in the cases`() {
    var seen: Set<String> = []
    forAll { _, plan in
      for entry in plan.checks { seen.insert("\(entry.code.rawValue) \(entry.verdict)") }
      return true
    }
    for entry in RoutingPolicy().plan(for: RoutingFacts()).checks
    where entry.code != .unknownTool {
      #expect(seen.contains("\(entry.code.rawValue) pass"))
      #expect(seen.contains("\(entry.code.rawValue) excludes"))
    }
  }

  @Test func `under localOnly or a private request no path leads to the remote side`() {
    forAll { generated, plan in
      let asked = [generated.policy.preference, generated.facts.request.preference]
      let isPrivate = !generated.facts.request.tags
        .isSubset(of: generated.policy.tagsAllowedRemote)
      guard asked.contains(.localOnly) || isPrivate else { return true }
      return plan.ranOn != .remote && plan.fallback != .remote
    }
  }

  @Test func `under remoteOnly no path leads to the local side`() {
    forAll { generated, plan in
      let asked = [generated.policy.preference, generated.facts.request.preference]
      guard asked.contains(.remoteOnly) else { return true }
      return plan.ranOn != .local && plan.fallback != .local
    }
  }

  @Test func `a side that is turned off is on no path`() {
    forAll { generated, plan in
      let off = generated.facts.limits.switchedOff
      return [plan.ranOn, plan.fallback].allSatisfy { $0.map { !off.contains($0) } ?? true }
    }
  }

  @Test func `removing a later check's cause changes no earlier verdict`() {
    forAll { generated, plan in
      plan.checks.indices.filter { plan.checks[$0].excludes }.allSatisfy { index in
        let other = generated.removingCause(of: plan.checks[index])
        let checks = other.policy.plan(for: other.facts).checks
        // A check of both sides has two entries, which come from one cause.
        let own = plan.checks.firstIndex { $0.code == plan.checks[index].code } ?? index
        return checks[..<own] == plan.checks[..<own] && !checks[index].excludes
      }
    }
  }

  @Test func `the same facts give the same plan`() {
    forAll { generated, plan in generated.policy.plan(for: generated.facts) == plan }
  }

  @Test func `there is no reason exactly where the preferred side was chosen`() {
    forAll { generated, plan in
      let preferred = (plan.effectivePreference ?? generated.policy.preference).side
      let first = plan.checks.first { $0.side == preferred && $0.excludes }
      return (plan.reason == nil) == (plan.ranOn == preferred)
        && plan.reason?.code == first?.code
        && plan.reason?.details == first?.details
    }
  }

  @Test func `each code has one entry a side, always in the ladder's order`() {
    let expected = """
      preference local, preference remote, privacy remote, killSwitch local, killSwitch remote, \
      noLocalModel local, modelNotStandIn local, modelLoading local, modelFailed local, \
      unsupportedFeature local, unknownTool local, templateRejected local, contextTooLong local, \
      insufficientMemory local, localBusy local, noGateway remote, noCredentials remote, \
      unsupportedFeature remote, rateLimited remote, remoteOffline remote, breakerOpen remote
      """
    forAll { _, plan in
      plan.checks.map { "\($0.code.rawValue) \($0.side.rawValue)" }.joined(separator: ", ")
        == expected
    }
  }

  @Test func `no chosen side and no fallback has a check against it`() {
    forAll { generated, plan in
      let sides = [plan.ranOn, plan.fallback].compactMap(\.self)
      return sides.allSatisfy { !plan.isExcluded($0) && plan.reason(against: $0) == nil }
        && Set(sides).count == sides.count
        && (plan.fallback == nil || generated.policy.fallbackOnFailure)
    }
  }

  @Test func `a plan without a side has both sides' reasons and an error, any other has none`() {
    forAll { _, plan in
      let isDead = plan.isExcluded(.local) && plan.isExcluded(.remote)
      return isDead == (plan.ranOn == nil) && isDead == (plan.noSideError != nil)
        && isDead == (plan.noSideKind != nil)
        && plan.noSideError?.noSideKind == plan.noSideKind
    }
  }

  @Test func `what was not gathered has no verdict and no numbers`() {
    forAll { generated, plan in
      plan.checks.allSatisfy { entry in
        let isAsked = entry.side == .local ? generated.facts.local?.status != nil : true
        return entry.verdict != .notApplicable
          || (entry.details.isEmpty && !entry.isTemporary)
            && (isAsked || !entry.excludes || entry.code == .noLocalModel)
      }
    }
  }

  @Test func `another cause against a side never brings it in`() {
    forAll { generated, plan in
      Side.allCases.filter { plan.ranOn != $0 }.allSatisfy { side in
        var other = generated
        other.facts.limits.switchedOff.insert(side)
        return other.policy.plan(for: other.facts).ranOn != side
      }
    }
  }

  @Test func `once what the counterfactual names has changed, the other side runs it`() {
    forAll { generated, plan in
      guard let chosen = plan.ranOn else { return plan.counterfactual != nil }
      let side = chosen.other
      // What was not looked at may hold more that stands in the way, which no plan can name.
      let isKnown = plan.checks.allSatisfy {
        $0.side != side || $0.verdict != .notApplicable || $0.code == .unknownTool
      }
      guard isKnown else { return true }
      var other = generated
      for entry in plan.checks where entry.side == side && entry.excludes {
        other = other.removingCause(of: entry)
      }
      let preferred = (plan.effectivePreference ?? generated.policy.preference).side
      if preferred != side {
        other.policy.preference = side == .local ? .preferLocal : .preferRemote
        other.facts.request.preference = nil
      }
      return other.policy.plan(for: other.facts).ranOn == side
        && plan.counterfactual?.hasPrefix("\(side.rawValue) would run if ") == true
    }
  }

  @Test func `a plan's JSON keeps its shape whatever the facts`() {
    let keys = RoutingPolicy().plan(for: RoutingFacts()).json.object?.keys
    // Writing and reading text is what costs here.
    forAll(Self.cases.prefix(200)) { _, plan in
      guard plan.json.object?.keys == keys, let checks = plan.json["checks"]?.array else {
        return false
      }
      let text = JSONWriter.compact.string(plan.json)
      return (try? JSONReader().read(text)) == plan.json
        && checks.allSatisfy { $0.object?.keys == ["code", "side", "verdict", "details"] }
    }
  }
}

import HybridCore

extension Check {
  /// The request names a model that is neither the local one nor one that it may stand in for. Where
  /// it biases tokens by their numbers, which mean others for another model, nothing stands in.
  static let modelNotStandIn = Check(code: .modelNotStandIn, sides: [.local]) { question in
    guard let name = question.facts.request.model else { return .pass() }
    guard let status = question.facts.local?.status else { return .notApplicable }
    var details: JSONObject = ["name": .string(name)]
    if status.model.answers(to: name) { return .pass(details) }
    guard question.facts.request.features.contains(.logitBias) else {
      return question.policy.allowsStandIn(for: name) ? .pass(details) : .excludes(details)
    }
    details["feature"] = .string(Feature.logitBias.rawValue)
    return .excludes(details)
  }
}

extension RoutingPolicy {
  /// Whether the local side may answer for a model of this name, ignoring case.
  package func allowsStandIn(for name: String) -> Bool {
    let asked = name.lowercased()
    return localStandIns.contains { $0.lowercased() == asked }
  }
}

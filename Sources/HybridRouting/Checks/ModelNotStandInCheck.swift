import HybridCore

extension Check {
  /// The request names a model that is neither the local one nor one that it may stand in for. Where
  /// it biases tokens by their numbers, which mean others for another model, nothing stands in.
  static let modelNotStandIn = Check(code: .modelNotStandIn, sides: [.local]) { question in
    guard let name = question.facts.request.model else { return .pass() }
    guard let status = question.facts.local?.status else { return .notApplicable }
    let asked = name.lowercased()
    let isStandIn = question.policy.localStandIns.contains { $0.lowercased() == asked }
    var details: JSONObject = ["name": .string(name)]
    if status.model.answers(to: name) { return .pass(details) }
    guard question.facts.request.features.contains(.logitBias) else {
      return isStandIn ? .pass(details) : .excludes(details)
    }
    details["feature"] = .string(Feature.logitBias.rawValue)
    return .excludes(details)
  }
}

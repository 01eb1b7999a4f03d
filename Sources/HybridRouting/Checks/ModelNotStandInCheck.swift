import HybridCore

extension Check {
  /// The request names a model that is neither the local one nor one that it may stand in for. Where
  /// it biases tokens by their numbers, which mean others for another model, nothing stands in.
  static let modelNotStandIn = Check(code: .modelNotStandIn, sides: [.local]) { question in
    guard let name = question.facts.request.model else { return .pass() }
    guard let status = question.facts.local?.status else { return .notApplicable }
    let asked = name.lowercased()
    let mayStandIn = !question.facts.request.features.contains(.logitBias)
    let isStandIn =
      mayStandIn && question.policy.localStandIns.contains { $0.lowercased() == asked }
    let details: JSONObject = ["name": .string(name)]
    return isStandIn || status.model.answers(to: name) ? .pass(details) : .excludes(details)
  }
}

import HybridCore

extension Check {
  /// The counted prompt and the tokens kept for the answer exceed the context. An estimate is not
  /// enough to exclude: where nothing was counted there is no verdict.
  static let contextTooLong = Check(code: .contextTooLong, sides: [.local]) { question in
    guard let local = question.facts.local, case .counted(let prompt) = local.measurement,
      let context = local.status?.contextLength
    else { return .notApplicable }
    let reserved = question.policy.reservedTokens(for: question.facts.request)
    let details: JSONObject = [
      "prompt": .int(prompt), "reserved": .int(reserved), "context": .int(context),
    ]
    let (sum, overflow) = prompt.addingReportingOverflow(reserved)
    return overflow || sum > context ? .excludes(details) : .pass(details)
  }
}

extension RoutingPolicy {
  /// The tokens kept for the answer: the request's `maxTokens`, else the policy's.
  func reservedTokens(for request: RequestFacts) -> Int {
    max(0, request.maxTokens ?? reservedOutputTokens)
  }
}

import HybridCore

extension Check {
  /// The model is being loaded, and what is left of it takes longer than the policy or the deadline
  /// allows, or takes nobody knows how long. A model not loaded yet passes: the request loads it.
  static let modelLoading = Check(
    code: .modelLoading, sides: [.local], isTemporary: true
  ) { question in
    guard let status = question.facts.local?.status else { return .notApplicable }
    guard case .loading(let remaining) = status.state else { return .pass() }
    let details: JSONObject = ["remaining": .optional(remaining)]
    guard let remaining, remaining <= question.localWaitLimit else { return .excludes(details) }
    return .pass(details)
  }
}

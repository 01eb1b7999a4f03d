import HybridCore

extension Check {
  /// The model is being loaded, and what is left of it takes longer than the policy or the deadline
  /// allows. A model not loaded yet passes, and so does a load of which nobody knows yet how long it
  /// takes: the first requests of a service come in one burst, and one of them must not run while the
  /// others are turned away.
  static let modelLoading = Check(
    code: .modelLoading, sides: [.local], isTemporary: true
  ) { question in
    guard let status = question.facts.local?.status else { return .notApplicable }
    guard case .loading(let remaining) = status.state else { return .pass() }
    let details: JSONObject = ["remaining": .optional(remaining)]
    guard let remaining, remaining > question.localWaitLimit else { return .pass(details) }
    return .excludes(details)
  }
}

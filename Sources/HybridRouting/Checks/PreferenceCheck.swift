import HybridCore

extension Check {
  /// `…Only`, from the policy or the request, excludes the other side; a request that asks for what
  /// the policy does not admit excludes both.
  static let preference = Check(code: .preference, sides: [.local, .remote]) { question in
    guard let preference = question.preference else {
      return .excludes([
        "policy": .string(question.policy.preference.rawValue),
        "request": .optional(question.facts.request.preference?.rawValue),
      ])
    }
    let details: JSONObject = ["preference": .string(preference.rawValue)]
    return preference.isExclusive && preference.side != question.side
      ? .excludes(details) : .pass(details)
  }
}

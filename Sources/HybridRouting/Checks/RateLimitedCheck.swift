import HybridCore

extension Check {
  /// The gateway said when to come back, or its quota is spent. Another cause than the plain rate
  /// limit is named under `code`.
  static let rateLimited = Check(
    code: .rateLimited, sides: [.remote], isTemporary: true
  ) { question in
    guard let status = question.facts.remote?.status else { return .notApplicable }
    guard case .coolingDown(let cause, let until) = status.availability,
      until > question.facts.now
    else { return .pass() }
    var details: JSONObject = ["retryAfter": question.seconds(until: until)]
    if cause != .rateLimited { details["code"] = .string(cause.rawValue) }
    return .excludes(details)
  }
}

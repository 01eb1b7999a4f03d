import HybridCore

extension Check {
  /// The request needs something beyond plain text that the local executor cannot do. The first
  /// such thing by name is reported.
  static let unsupportedFeature = Check(code: .unsupportedFeature, sides: [.local]) { question in
    guard let status = question.facts.local?.status else { return .notApplicable }
    let missing = question.facts.request.features.subtracting(status.features)
    guard let first = missing.min() else { return .pass() }
    return .excludes(["name": .string(first.rawValue)])
  }
}

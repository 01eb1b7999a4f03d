import HybridCore

extension Check {
  /// The gateway failed too often of late. Once the time is up the next request is the probe.
  static let breakerOpen = Check(
    code: .breakerOpen, sides: [.remote], isTemporary: true
  ) { question in
    guard let status = question.facts.remote?.status else { return .notApplicable }
    guard case .breakerOpen(let until, _) = status.availability, until > question.facts.now
    else { return .pass() }
    return .excludes(["retryAfter": question.seconds(until: until)])
  }
}

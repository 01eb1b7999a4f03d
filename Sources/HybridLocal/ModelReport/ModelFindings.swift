/// Collects what checks come to.
struct ModelFindings {
  private(set) var all: [ModelCheck.Finding] = []

  mutating func pass(_ check: ModelCheck.Check, _ message: String) {
    all.append(ModelCheck.Finding(check: check, verdict: .pass, message: message))
  }

  mutating func warn(_ check: ModelCheck.Check, _ message: String, key: String? = nil) {
    all.append(ModelCheck.Finding(check: check, verdict: .warning, message: message, key: key))
  }

  mutating func fail(_ check: ModelCheck.Check, _ error: ModelFileError) {
    all.append(
      ModelCheck.Finding(
        check: check, verdict: .failure, message: error.problem, offset: error.offset,
        key: error.key))
  }

  mutating func skip(_ checks: ModelCheck.Check..., because reason: String) {
    all += checks.map {
      ModelCheck.Finding(check: $0, verdict: .notChecked, message: reason)
    }
  }

  mutating func append(_ other: ModelFindings) {
    all += other.all
  }

  /// True where a check failed with this error.
  func hasFailure(_ error: ModelFileError) -> Bool {
    all.contains { $0.verdict == .failure && $0.message == error.problem }
  }

  func has(_ check: ModelCheck.Check) -> Bool { all.contains { $0.check == check } }
}

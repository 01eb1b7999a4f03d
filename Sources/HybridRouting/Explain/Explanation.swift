import HybridCore

/// What a code or an HTTP status means, what the policy does about it, and what to do: the text of
/// `hybrid explain`.
public struct Explanation: Sendable, Hashable, CustomStringConvertible {
  /// The code explained.
  public let code: String

  /// What it means, in one sentence without its full stop.
  public let meaning: String

  /// What the policy does about it, one sentence an element.
  public let handling: [String]

  /// What the caller can do about it.
  public let nextStep: String

  /// Explains a reason's code, an error's code or an HTTP status.
  ///
  /// - Parameters:
  ///   - subject: `contextTooLong`, `timeout.firstByte`, `429`. Case counts.
  ///   - policy: its failure table and flags are those explained.
  /// - Returns: one explanation a code; a status may mean several, the usual one first. Empty for
  ///   what is unknown, and for a status that is no failure.
  public static func of(
    _ subject: String, policy: RoutingPolicy = RoutingPolicy()
  ) -> [Explanation] {
    if let status = Int(subject) {
      return ErrorCode.codes(forHTTPStatus: status).compactMap {
        Explanation(reason: nil, error: .known($0), policy: policy)
      }
    }
    // Some codes are both: a check before the run, and a failure found only when run.
    let reason = ReasonText.known(ReasonCode(rawValue: subject))
    let error = ErrorText.known(ErrorCode(rawValue: subject))
    return [Explanation(reason: reason, error: error, policy: policy)].compactMap(\.self)
  }

  /// Every code that has an explanation: the checks in their order, then the failures by their rows.
  public static let codes: [String] = {
    let reasons = ReasonText.all.map(\.code.rawValue)
    let errors = FailureTable.standard.rows
      .flatMap { FailureTable.standard.codes(of: $0.kind) }.map(\.rawValue)
    return reasons + errors.filter { !reasons.contains($0) }
  }()

  /// The known code that a misspelt one was probably meant to be; nil where none is near.
  public static func nearest(to subject: String) -> String? {
    NearestName.of(subject, among: codes)
  }

  private init?(reason: ReasonText?, error: ErrorText?, policy: RoutingPolicy) {
    guard let code = reason?.code.rawValue ?? error?.code.rawValue,
      let meaning = reason?.meaning ?? error?.meaning,
      let nextStep = reason?.nextStep ?? error?.nextStep
    else { return nil }
    self.code = code
    self.meaning = meaning
    self.nextStep = nextStep
    var handling = reason.map { [$0.handling] } ?? []
    if let error {
      let row = policy.failures.row(for: error.code)
      let words = row.handling(under: policy)
      handling += reason == nil ? words : words.map { "found only when run: \($0)" }
    }
    self.handling = handling
  }

  public var description: String {
    let lines = handling.map { "  - \($0)" }.joined(separator: "\n")
    return "\(code): \(meaning)\nThe policy:\n\(lines)\nNext step: \(nextStep)"
  }
}

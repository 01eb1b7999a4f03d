internal import HybridCore
internal import HybridRouting

extension HybridError {
  /// This error as the interruption of an answer whose beginning had been handed out.
  func interrupting(_ side: Side) -> HybridError {
    var error = self
    error.code = .interrupted
    error.message = "the \(side.rawValue) side failed in the middle of its answer: \(message)"
    error.nextStep = "Ask again, or go on from the text so far"
    error.details["code"] = .string(causeCode.rawValue)
    return error
  }

  /// `side` must not have the request, and no other side can take it.
  static func refused(_ side: Side, _ reason: Reason, _ preference: Preference?) -> HybridError {
    let code: ErrorCode =
      switch preference {
      case .localOnly: .localRequired
      case .remoteOnly: .remoteUnavailable
      case .preferLocal, .preferRemote, nil: .noSide
      }
    var details = reason.numbers
    details["code"] = .string(reason.code.rawValue)
    details["kind"] = .string(NoSideKind.unavailable.rawValue)
    details[side.rawValue] = reason.json
    return HybridError(
      code, "the \(side.rawValue) side may not have this request: \(reason.message)",
      nextStep: reason.nextStep, details: details)
  }

  static func deadlineExceeded(_ when: String, side: Side? = nil) -> HybridError {
    HybridError(
      .deadlineExceeded, "the request's deadline passed \(when)", nextStep: "Allow more time",
      side: side)
  }
}

internal import HybridCore
internal import HybridRouting

/// What follows when a side fails before any of its output was handed out.
enum Fallback {
  /// The side that takes over: the plan's fallback, where the failure table lets it.
  ///
  /// - Returns: nil where the error is the end of the request.
  static func side(
    after error: HybridError, on side: Side, in ready: AnswerRun.Ready
  ) -> Side? {
    guard let other = ready.plan.fallback, other != side else { return nil }
    let policy = ready.chat.policy
    // The plan has no fallback to a side without room for the prompt.
    let facts = FallbackRule.Facts(
      allowsAfterTLS: policy.fallbackOnTLSFailure, allowsAfterRefusal: policy.fallbackOnRefusal,
      otherHasRoom: true)
    let row = policy.failures.row(for: error.causeCode)
    return row.fallback.allows(facts) ? other : nil
  }

  /// Why the answer comes from the other side.
  static func reason(for error: HybridError, on side: Side) -> Reason {
    var details = error.details
    details["code"] = .string(error.causeCode.rawValue)
    let isRefusal = error.causeCode == .contentPolicy
    let code: ReasonCode =
      switch side {
      case .local: isRefusal ? .localRefused : .localFailed
      case .remote: isRefusal ? .remoteRefused : .remoteFailed
      }
    return Reason(
      code: code, message: "the \(side.rawValue) side failed: \(error.message)", details: details)
  }
}

extension HybridError {
  /// This error as the interruption of an answer whose beginning had been handed out.
  func interrupting(_ side: Side) -> HybridError {
    var error = self
    error.code = .interrupted
    error.message = "the \(side.rawValue) side failed in the middle of its answer: \(message)"
    error.nextStep = "Ask again; the text so far is in partialText"
    error.details["code"] = .string(causeCode.rawValue)
    return error
  }
}

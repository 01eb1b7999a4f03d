internal import HybridCore
internal import HybridRouting

/// What follows when a side fails before any of its output was handed out.
enum Fallback {
  /// Whether the failure table lets the other side take over.
  static func isAllowed(after error: HybridError, by policy: RoutingPolicy) -> Bool {
    policy.failures.row(for: error.causeCode).fallback.allows(
      FallbackRule.Facts(
        allowsAfterTLS: policy.fallbackOnTLSFailure, allowsAfterRefusal: policy.fallbackOnRefusal,
        // A plan has no fallback to a side without room for the prompt.
        otherHasRoom: true))
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

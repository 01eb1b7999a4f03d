/// How a call to a gateway ended, as far as the gateway's health is concerned.
public enum CallOutcome: Sendable, Hashable {
  case succeeded
  /// A failure that counts for the breaker.
  case failed
  /// The gateway answered, with something that says nothing against its health (400, 401, 429).
  case answered
  /// It tells nothing: cancelled, or never sent.
  case abandoned
}

extension FailureTable {
  /// - Parameters:
  ///   - code: nil for a success.
  ///   - gatewayAnswered: true where an HTTP status came back. A wrong request that was refused
  ///     before it was sent says nothing of the gateway.
  public func outcome(of code: ErrorCode?, gatewayAnswered: Bool) -> CallOutcome {
    guard let code else { return .succeeded }
    if row(for: code).countsForBreaker { return .failed }
    return gatewayAnswered && code != .cancelled ? .answered : .abandoned
  }
}

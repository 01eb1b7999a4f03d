/// How a call to a gateway ended, as far as the gateway's health is concerned.
public enum CallOutcome: Sendable, Hashable {
  case succeeded
  /// A failure that counts for the breaker.
  case failed
  /// The gateway answered, with something that says nothing against its health (400, 401, 429).
  case answered
  /// It tells nothing: cancelled, ended by its caller too early, or never sent.
  case abandoned
}

/// What was seen of a gateway in one try.
public enum GatewayContact: Sendable, Hashable {
  /// Nothing was sent: no key, no permit, no time.
  case none
  /// Not one byte came back in the time since the request was sent; connecting is part of it.
  case silence(Duration)
  /// An HTTP status came back.
  case response
}

extension FailureTable {
  /// - Parameters:
  ///   - code: nil for a success.
  ///   - contact: what was seen of the gateway. One that was never asked has not failed.
  ///   - silenceLimit: see ``CircuitBreaker/Settings/silenceLimit``.
  public func outcome(
    of code: ErrorCode?, after contact: GatewayContact, silenceLimit: Duration
  ) -> CallOutcome {
    guard let code else { return .succeeded }
    switch contact {
    case .none:
      return .abandoned
    case _ where row(for: code).countsForBreaker:
      return .failed
    case .silence(let time):
      // Its caller ended it, and the gateway had had its time: callers in a hurry must not hide that
      // it hangs.
      return code == .deadlineExceeded && time >= silenceLimit ? .failed : .abandoned
    case .response:
      return code == .cancelled ? .abandoned : .answered
    }
  }
}

/// Whether a failed try is repeated on the same side.
///
/// Whatever the rule, tries, time, patience and the retry budget bound it: see ``RetryPolicy``.
public enum RetryRule: String, Sendable, Hashable, Codable, CaseIterable {
  case never
  /// One more time.
  case once
  /// Until the tries are spent.
  case always
  /// As long as each wait fits the patience.
  case whilePatient
  /// If the wait that the gateway asked for fits; without one, if the drawn wait does.
  case ifHintFits
  /// Only if the other side cannot take the request now.
  case onlyIfAlone
}

/// Whether the other side takes over.
public enum FallbackRule: String, Sendable, Hashable, Codable, CaseIterable {
  case never
  case always
  /// Yes; but it will not go away by itself, so the answer's reason is worth an alarm.
  case reported
  /// If the policy lets a request go on after a gateway whose certificate did not convince.
  case ifPolicyAllowsTLS
  /// If the policy lets the other side answer what this one refused (`fallbackOnRefusal`).
  case ifPolicyAllowsRefusal
  /// If the other side has room for the prompt and the reserved output.
  case ifOtherHasRoom

  /// The facts that some of the rules depend on.
  public struct Facts: Sendable, Hashable {
    public var allowsAfterTLS: Bool
    public var allowsAfterRefusal: Bool
    public var otherHasRoom: Bool

    public init(
      allowsAfterTLS: Bool = false, allowsAfterRefusal: Bool = false, otherHasRoom: Bool = true
    ) {
      self.allowsAfterTLS = allowsAfterTLS
      self.allowsAfterRefusal = allowsAfterRefusal
      self.otherHasRoom = otherHasRoom
    }
  }

  /// What the rule says in a given case.
  public func allows(_ facts: Facts) -> Bool {
    switch self {
    case .never: false
    case .always, .reported: true
    case .ifPolicyAllowsTLS: facts.allowsAfterTLS
    case .ifPolicyAllowsRefusal: facts.allowsAfterRefusal
    case .ifOtherHasRoom: facts.otherHasRoom
    }
  }
}

/// How long a gateway is left alone after a failure, apart from the circuit breaker.
public enum CoolDownRule: String, Sendable, Hashable, Codable, CaseIterable {
  case none
  /// Until the moment that the gateway named, if it named one.
  case hinted
  /// The same, and for a short time if it named none.
  case hintedOrShort
  /// Money or a quota has run out: no wait between two requests mends that.
  case long
}

/// What a failure does to the state of the local side.
public enum LocalEffect: String, Sendable, Hashable, Codable, CaseIterable {
  case none
  /// The model counts as failed; its next load waits.
  case modelFailed
}

/// Which of the two families a drawn wait is from; see ``Backoff``.
public enum DelayFamily: String, Sendable, Hashable, Codable, CaseIterable {
  /// The gateway stumbled: short waits, spread over their whole length.
  case transient
  /// The gateway asked for less: longer waits, never below half.
  case throttled
}

internal import HybridCore

/// A row of the failure table in words.
enum FailureWords {
  static func lines(_ row: FailureRow) -> [(title: String, text: String)] {
    var lines = [
      (title: "Same side again", text: words(row.retry)),
      (title: "Other side", text: words(row.fallback)),
      (title: "Breaker", text: row.countsForBreaker ? "counted" : "not counted"),
    ]
    if let text = words(row.coolDown) { lines.append((title: "Gateway", text: text)) }
    if row.localEffect == .modelFailed {
      lines.append((title: "Local side", text: "counts as failed; its next load waits"))
    }
    return lines
  }

  private static func words(_ rule: RetryRule) -> String {
    switch rule {
    case .never: "no"
    case .once: "once"
    case .always: "yes, up to three tries"
    case .whilePatient: "while the waits fit the patience, up to three tries"
    case .ifHintFits: "if the wait that the gateway asked for fits, up to three tries"
    case .onlyIfAlone: "only if the other side cannot take it now"
    }
  }

  private static func words(_ rule: FallbackRule) -> String {
    switch rule {
    case .never: "no"
    case .always: "yes"
    case .reported: "yes, and the failure is reported"
    case .ifPolicyAllowsTLS: "only with the policy's fallbackOnTLSFailure"
    case .ifPolicyAllowsRefusal: "only with the policy's fallbackOnRefusal"
    case .ifOtherHasRoom: "if it has room for the prompt"
    }
  }

  private static func words(_ rule: CoolDownRule) -> String? {
    switch rule {
    case .none: nil
    case .hinted: "left alone until the moment it named, if it named one"
    case .hintedOrShort: "left alone until the moment it named, or for a short while"
    case .long: "left alone for long: waiting a little does not help"
    }
  }
}

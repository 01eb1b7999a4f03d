import HybridCore

extension FailureRow {
  /// The row in sentences, with the policy's own numbers and flags.
  func handling(under policy: RoutingPolicy) -> [String] {
    var sentences = [retry.words(under: policy), fallback.words(under: policy)]
    sentences.append(
      countsForBreaker ? "it counts for the circuit breaker" : "the circuit breaker ignores it")
    if let coolDown = coolDown.words { sentences.append(coolDown) }
    if localEffect == .modelFailed {
      sentences.append("the local model counts as failed, and its next load waits")
    }
    return sentences
  }
}

extension RetryRule {
  fileprivate func words(under policy: RoutingPolicy) -> String {
    let patience = Figures.seconds(.seconds(policy.patience))
    return switch self {
    case .never: "it is not tried again on the same side"
    case .once: "it is tried once more on the same side"
    case .always: "it is tried again on the same side until the tries are spent"
    case .whilePatient:
      "it is tried again on the same side while each wait fits the patience of \(patience), "
        + "or the deadline where no other side is left"
    case .ifHintFits:
      "it is tried again on the same side if the wait that the gateway asks for fits 120 s, the "
        + "time left and the patience of \(patience)"
    case .onlyIfAlone:
      "it is tried again on the same side only if the other one cannot take the request now"
    }
  }
}

extension FallbackRule {
  fileprivate func words(under policy: RoutingPolicy) -> String {
    if self != .never, !policy.fallbackOnFailure {
      return "the other side does not take over: fallbackOnFailure is off"
    }
    return switch self {
    case .never: "the other side does not take over"
    case .always: "the other side takes over where it may"
    case .reported:
      "the other side takes over where it may; the cause stays until somebody puts it right"
    case .ifPolicyAllowsTLS:
      "the other side takes over only with fallbackOnTLSFailure, which is "
        + (policy.fallbackOnTLSFailure ? "on" : "off")
    case .ifPolicyAllowsRefusal:
      "the other side takes over only with fallbackOnRefusal, which is "
        + (policy.fallbackOnRefusal ? "on" : "off")
    case .ifOtherHasRoom: "the other side takes over if it has room for the conversation"
    }
  }
}

extension CoolDownRule {
  fileprivate var words: String? {
    switch self {
    case .none: nil
    case .hinted: "the gateway is left alone until the moment it names, if it names one"
    case .hintedOrShort:
      "the gateway is left alone until the moment it names, or for a short time"
    case .long: "the gateway is left alone for a long time"
    }
  }
}

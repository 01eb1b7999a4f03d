public import HybridCore

/// What kind of dead end a plan without a side is; it decides what trying again is worth.
public enum NoSideKind: String, Sendable, Hashable, Codable {
  /// The request asks for what the policy does not admit.
  case preferenceConflict
  /// The prompt is too long for every side there is, whatever else stands in the way.
  case contextTooLong
  /// Every cause passes by itself: busy, loading, rate-limited, breaker open.
  case temporary
  /// Anything else.
  case unavailable
}

extension RoutingPlan {
  /// Why no side is left; nil where one is.
  ///
  /// A side that is not configured, or that the preference rules out, does not count: under
  /// `localOnly` a busy model alone is a temporary cause.
  public var noSideKind: NoSideKind? {
    guard ranOn == nil else { return nil }
    guard effectivePreference != nil else { return .preferenceConflict }
    let absent: Set<ReasonCode> = [.preference, .noGateway]
    let causes = Side.allCases.map { side in checks.filter { $0.side == side && $0.excludes } }
      .filter { causes in
        !causes.contains { absent.contains($0.code) || $0.isLocalSideAbsent }
      }
    guard !causes.isEmpty else { return .unavailable }
    if causes.allSatisfy({ $0.contains { $0.code == .contextTooLong } }) { return .contextTooLong }
    if causes.joined().allSatisfy(\.isTemporary) { return .temporary }
    return .unavailable
  }

  /// The error that running this plan throws; nil where a side is left.
  ///
  /// The code is `localRequired` under `localOnly`, `remoteUnavailable` under `remoteOnly`, else
  /// `noSide`. The details hold the preferred side's cause under `code` and its numbers, both sides'
  /// reasons under `local` and `remote`, and the ``NoSideKind`` under `kind`.
  public var noSideError: HybridError? {
    guard let kind = noSideKind, let cause = reason else { return nil }
    let reasons = Side.allCases.map { side in (side, reason(against: side)) }

    var details: JSONObject = ["code": .string(cause.code.rawValue)]
    for member in cause.numbers.members { details[member.key] = member.value }
    details["kind"] = .string(kind.rawValue)
    for (side, reason) in reasons { details[side.rawValue] = reason?.json ?? .null }

    let code: ErrorCode
    let message: String
    switch (kind, effectivePreference) {
    case (.preferenceConflict, _):
      (code, message) = (.noSide, cause.message)
    case (_, .localOnly):
      (code, message) = (
        .localRequired, "the request must run locally and cannot: \(cause.message)"
      )
    case (_, .remoteOnly):
      (code, message) = (
        .remoteUnavailable, "the request must run remotely and cannot: \(cause.message)"
      )
    default:
      let causes = reasons.map { "\($0.0.rawValue): \($0.1?.message ?? "")" }
      (code, message) = (
        .noSide, "no side can take the request; \(causes.joined(separator: "; "))"
      )
    }
    return HybridError(
      code, message, nextStep: cause.nextStep, details: details)
  }
}

extension CheckEntry {
  /// No local side was configured at all; a missing file names its path.
  fileprivate var isLocalSideAbsent: Bool { code == .noLocalModel && details["path"] == nil }
}

extension Reason {
  /// The members of the details that may stand beside others: the code has its own place there, and the
  /// side's own failure is told once, under the side.
  package var numbers: JSONObject {
    details.members.reduce(into: JSONObject()) { numbers, member in
      if !["code", "problem"].contains(member.key) { numbers[member.key] = member.value }
    }
  }
}

extension HybridError {
  /// Of an error that a plan without a side threw: what kind of dead end it was. nil for any other.
  public var noSideKind: NoSideKind? {
    guard [.noSide, .localRequired, .remoteUnavailable].contains(code) else { return nil }
    return details["kind"]?.string.flatMap(NoSideKind.init(rawValue:))
  }
}

public import HybridCore

/// What one check said of one side.
public struct CheckEntry: Sendable, Hashable {
  public var code: ReasonCode
  public var side: Side
  public var verdict: Verdict

  /// The numbers looked at. Durations are in seconds, sizes in bytes; `until` and `since` are the
  /// seconds from now until then, and from then until now.
  public var details: JSONObject

  public init(code: ReasonCode, side: Side, verdict: Verdict, details: JSONObject = [:]) {
    self.code = code
    self.side = side
    self.verdict = verdict
    self.details = details
  }

  public enum Verdict: String, Sendable, Hashable, Codable {
    case pass
    /// The side cannot have this request.
    case excludes
    /// There was nothing to look at: an earlier check had excluded the side, so that its input was not
    /// gathered, or the side does not say it.
    case notApplicable
  }

  public var excludes: Bool { verdict == .excludes }

  /// True where it excludes for a cause that passes by itself: trying again later may help.
  public var isTemporary: Bool {
    guard excludes, Ladder.check(for: code)?.isTemporary == true else { return false }
    // A rate limit passes; a wait fills no account.
    return code != .rateLimited || details["code"] == nil
  }
}

/// One rung of the ladder: a question asked of the facts about one side, or about each.
///
/// A check looks at the facts alone, never at another check's verdict: so removing the cause of one
/// changes no other.
struct Check: Sendable {
  let code: ReasonCode
  let sides: [Side]

  /// Whether what it excludes for passes by itself.
  var isTemporary = false

  let judge: @Sendable (Question) -> Finding

  /// What a check may look at.
  struct Question: Sendable {
    let policy: RoutingPolicy
    let facts: RoutingFacts
    /// nil: the policy and the request conflict.
    let preference: Preference?
    let side: Side
  }

  enum Finding: Sendable {
    case pass(JSONObject = [:])
    case excludes(JSONObject = [:])
    case notApplicable
  }

  func entries(
    policy: RoutingPolicy, facts: RoutingFacts, preference: Preference?
  ) -> [CheckEntry] {
    sides.map { side in
      let question = Question(policy: policy, facts: facts, preference: preference, side: side)
      return switch judge(question) {
      case .pass(let details):
        CheckEntry(code: code, side: side, verdict: .pass, details: details)
      case .excludes(let details):
        CheckEntry(code: code, side: side, verdict: .excludes, details: details)
      case .notApplicable:
        CheckEntry(code: code, side: side, verdict: .notApplicable)
      }
    }
  }
}

extension Check.Question {
  /// The seconds from now until `moment`, or null for never.
  func seconds(until moment: Moment?) -> JSONValue {
    .optional(moment.map { $0 - facts.now })
  }

  /// The longest that a request may wait for the local side: the policy's limit, or the deadline
  /// where that is nearer.
  var localWaitLimit: Duration {
    min(policy.maxLocalWait, facts.request.deadlineRemaining ?? policy.maxLocalWait)
  }
}

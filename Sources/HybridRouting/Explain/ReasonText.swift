public import HybridCore

/// What a reason's code means, in words: one row a code, used by plans, errors and `explain` alike.
///
/// Sentences begin in lower case and have no full stop, as everywhere in HybridKit's errors.
public struct ReasonText: Sendable {
  public let code: ReasonCode

  /// What it means, whatever the numbers.
  public let meaning: String

  /// What the policy does about it.
  public let handling: String

  /// What the caller can do about it.
  public let nextStep: String

  let render: @Sendable (JSONObject) -> String
  let renderRemedy: @Sendable (JSONObject, Side) -> String

  init(
    _ code: ReasonCode, meaning: String, handling: String, nextStep: String,
    sentence: (@Sendable (JSONObject) -> String)? = nil,
    remedy: @escaping @Sendable (JSONObject, Side) -> String
  ) {
    self.code = code
    self.meaning = meaning
    self.handling = handling
    self.nextStep = nextStep
    render = sentence ?? { _ in meaning }
    renderRemedy = remedy
  }

  /// What happened, with the numbers in `details`.
  public func sentence(_ details: JSONObject) -> String { render(details) }

  /// What would undo it for `side`: completes "local would run if …".
  public func remedy(_ details: JSONObject, for side: Side) -> String {
    renderRemedy(details, side)
  }

  /// The row of `code`; for a code that no row knows, one that only repeats it.
  public static func of(_ code: ReasonCode) -> ReasonText {
    known(code)
      ?? ReasonText(
        code, meaning: code.rawValue, handling: "the request goes to the other side",
        nextStep: "see the details", remedy: { _, _ in "\(code.rawValue) did not apply" })
  }

  static func known(_ code: ReasonCode) -> ReasonText? {
    table[code]
  }

  /// Every row, the checks in the order in which they are asked, then what is found only when run.
  public static let all: [ReasonText] = absoluteRows + localRows + remoteRows + runTimeRows

  private static let table = Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0) })
}

extension Reason {
  /// What to do about it: what whoever found it says, else what holds for the check in general.
  package var nextStep: String {
    let own = details["nextStep"] ?? details["problem"]?["nextStep"]
    return own?.string ?? ReasonText.of(code).nextStep
  }
}

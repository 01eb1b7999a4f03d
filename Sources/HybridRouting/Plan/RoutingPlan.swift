public import HybridCore

/// The decision for one request: where it runs, why, and what happens if that side fails.
///
/// The same value whether it was only asked for or is attached to an answer.
public struct RoutingPlan: Sendable, Hashable {
  /// What the policy and the request want together; nil where they conflict.
  public let effectivePreference: Preference?

  /// The chosen side; nil where none is left, and then ``noSideError`` says why.
  public let ranOn: Side?

  /// Why the preferred side was not chosen; nil where it was. Its code is that of the first check
  /// that excludes the preferred side.
  public let reason: Reason?

  /// Every check's verdict, one entry a code and side, in the order in which they are asked.
  public let checks: [CheckEntry]

  /// The prompt's length; nil where it is not known at all.
  public let promptTokens: PromptTokens?

  /// The tokens kept for the answer.
  public let reservedOutputTokens: Int

  /// The tokens that one request gets locally, prompt and answer together; nil where unknown.
  public let contextLength: Int?

  /// The side that follows if the chosen one fails before its first output.
  public let fallback: Side?

  /// One sentence: what would have to change for the other side to run it, or for either where none
  /// is left.
  public let counterfactual: String?

  public func isExcluded(_ side: Side) -> Bool {
    checks.contains { $0.side == side && $0.excludes }
  }

  /// Why `side` cannot have the request, by the first check that excludes it; nil where it can.
  public func reason(against side: Side) -> Reason? {
    checks.first { $0.side == side && $0.excludes }.map { Reason($0.code, details: $0.details) }
  }
}

/// A prompt's length in tokens, saying where the number comes from.
public enum PromptTokens: Sendable, Hashable {
  /// By the local model's own tokenizer over its own template.
  case counted(Int)
  case estimated(TokenEstimate)

  public var count: Int {
    switch self {
    case .counted(let count): count
    case .estimated(let estimate): estimate.tokens
    }
  }

  public var isCounted: Bool {
    if case .counted = self { true } else { false }
  }
}

/// A guess at a text's length where no tokenizer counted it. No check excludes a side by it.
public struct TokenEstimate: Sendable, Hashable {
  /// The text's length in bytes.
  public let bytes: Int

  public init(bytes: Int) {
    self.bytes = bytes
  }

  /// A token for every four bytes, rounded up: about right for English prose, low for other scripts.
  public var tokens: Int { bytes / 4 + (bytes % 4 == 0 ? 0 : 1) }
}

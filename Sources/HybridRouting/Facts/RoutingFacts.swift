public import HybridCore

/// Everything that the decision may look at, gathered in one place, once.
///
/// A value: tests write it by hand. What was not gathered, because an earlier check had already
/// excluded the side, is nil, and the checks that would look at it say `notApplicable`.
public struct RoutingFacts: Sendable, Hashable {
  public var request: RequestFacts

  /// nil: no local side is configured.
  public var local: LocalFacts?

  /// nil: no gateway is configured.
  public var remote: RemoteFacts?

  public var limits: LimitFacts

  /// When the facts were gathered, on the clock of every moment in them.
  public var now: Moment

  public init(
    request: RequestFacts = RequestFacts(), local: LocalFacts? = nil, remote: RemoteFacts? = nil,
    limits: LimitFacts = LimitFacts(), now: Moment = .origin
  ) {
    self.request = request
    self.local = local
    self.remote = remote
    self.limits = limits
    self.now = now
  }
}

public import HybridCore

/// What the operator has set at run time.
public struct LimitFacts: Sendable, Hashable {
  /// Sides that are turned off.
  public var switchedOff: Set<Side>

  public init(switchedOff: Set<Side> = []) {
    self.switchedOff = switchedOff
  }
}

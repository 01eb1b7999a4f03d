/// Keeps retries from multiplying the load of a gateway that is down: one for each origin and model.
///
/// A full budget holds 10 tokens. A failed try takes 1, a success gives back 0.1, and retries are
/// allowed while more than half is left. So an outage costs five retries in all, whatever the number
/// of requests, and at a steady failure rate below one in eleven the budget stays full.
public struct RetryBudget: Sendable, Hashable {
  /// Counted in tenths, so that no sum drifts.
  private var tenths: Int
  private let capacityInTenths: Int

  public init(capacity: Int = 10) {
    capacityInTenths = max(0, capacity) * 10
    tenths = capacityInTenths
  }

  public var tokens: Double { Double(tenths) / 10 }

  public var allowsRetry: Bool { tenths > capacityInTenths / 2 }

  public mutating func tryFailed() {
    tenths = max(0, tenths - 10)
  }

  public mutating func trySucceeded() {
    tenths = min(capacityInTenths, tenths + 1)
  }
}

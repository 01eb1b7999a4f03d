/// A gateway and the model asked of it: what breakers, budgets and cool-downs are kept for.
public struct GatewayTarget: Sendable, Hashable {
  /// Scheme, host and port.
  public var origin: String

  /// nil: the gateway's default.
  public var model: String?

  public init(origin: String, model: String? = nil) {
    self.origin = origin
    self.model = model
  }
}

/// The health of every target that has been called.
///
/// Model names come from requests, so the book is bounded: the target touched longest ago is
/// forgotten first.
public struct TargetBook: Sendable {
  private var pages: [GatewayTarget: (health: TargetHealth, touched: UInt64)] = [:]
  private var touches: UInt64 = 0
  private let capacity: Int
  private let new: TargetHealth

  /// - Parameters:
  ///   - capacity: targets kept; at least 1.
  ///   - new: the state in which each begins.
  public init(capacity: Int = 1024, new: TargetHealth = TargetHealth()) {
    self.capacity = max(1, capacity)
    self.new = new
  }

  public var count: Int { pages.count }

  /// Reading an unknown target gives a healthy one and keeps nothing; changing one keeps it.
  public subscript(target: GatewayTarget) -> TargetHealth {
    get { pages[target]?.health ?? new }
    set {
      touches += 1
      pages[target] = (newValue, touches)
      if pages.count > capacity, let oldest = pages.min(by: { $0.value.touched < $1.value.touched })
      {
        pages[oldest.key] = nil
      }
    }
  }
}

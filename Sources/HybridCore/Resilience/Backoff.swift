/// A family of growing waits, drawn at random so that clients do not come back all at once.
///
/// The wait before retry n (0 is the first) is drawn from a range whose upper end is `base` · 2ⁿ, at
/// most `cap`. In milliseconds:
///
/// | n         | 0          | 1           | 2           | 3           | 5           |
/// |-----------|------------|-------------|-------------|-------------|-------------|
/// | transient | 0…250      | 0…500       | 0…1,000     | 0…2,000     | 0…8,000     |
/// | throttled | 500…1,000  | 1,000…2,000 | 2,000…4,000 | 4,000…8,000 | 4,000…8,000 |
public struct Backoff: Sendable, Hashable {
  public var base: Duration
  public var cap: Duration
  public var jitter: Jitter

  public enum Jitter: Sendable, Hashable {
    /// From zero to the upper end.
    case full
    /// From half of the upper end to the upper end.
    case equal
  }

  public init(base: Duration, cap: Duration = .seconds(8), jitter: Jitter) {
    self.base = base
    self.cap = cap
    self.jitter = jitter
  }

  public static let transient = Backoff(base: .milliseconds(250), jitter: .full)
  public static let throttled = Backoff(base: .seconds(1), jitter: .equal)

  /// - Parameters:
  ///   - retry: from 0.
  ///   - random: uniform, from 0 to 1. Anything outside is brought inside.
  public func delay(beforeRetry retry: Int, random: Double) -> Duration {
    let upper = Self.doubled(base, times: retry, cap: cap)
    let share = random.unitInterval
    return switch jitter {
    case .full: upper * share
    case .equal: upper / 2 + upper / 2 * share
    }
  }

  /// `base` · 2ⁿ, at most `cap`; no n overflows.
  static func doubled(_ base: Duration, times: Int, cap: Duration) -> Duration {
    var length = base
    for _ in 0..<max(0, min(times, 64)) where length < cap { length *= 2 }
    return min(length, cap)
  }
}

extension Double {
  /// The nearest number from 0 to 1; 0 for NaN.
  var unitInterval: Double { self > 0 ? min(self, 1) : 0 }
}

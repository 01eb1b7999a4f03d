/// A point on a monotonic clock, as the time since that clock's own origin.
///
/// Two moments compare only when they come from the same ``TimeSource``. State machines take moments
/// as parameters, so that a test can write them by hand.
public struct Moment: Sendable, Hashable, Comparable, CustomStringConvertible {
  public var sinceOrigin: Duration

  public init(sinceOrigin: Duration) {
    self.sinceOrigin = sinceOrigin
  }

  public static let origin = Moment(sinceOrigin: .zero)

  public var description: String { "t+\(sinceOrigin)" }

  public static func < (left: Moment, right: Moment) -> Bool {
    left.sinceOrigin < right.sinceOrigin
  }

  /// Some 36 million years: whoever gives a longer time wants no end, and a sum has one.
  private static let longest = Duration.seconds(1 << 50)

  public static func + (moment: Moment, duration: Duration) -> Moment {
    Moment(sinceOrigin: moment.sinceOrigin + min(max(duration, .zero - longest), longest))
  }

  public static func - (moment: Moment, duration: Duration) -> Moment {
    Moment(sinceOrigin: moment.sinceOrigin - min(max(duration, .zero - longest), longest))
  }

  public static func - (left: Moment, right: Moment) -> Duration {
    left.sinceOrigin - right.sinceOrigin
  }
}

extension Duration {
  /// The length in seconds, for wire formats and messages; of any length, where `components` ends.
  public var inSeconds: Double { self / .seconds(1) }
}

/// Reads how long a gateway asks to be left alone: `retry-after-ms`, `Retry-After` in seconds, then
/// `Retry-After` as a date; the first that can be read counts.
///
/// Numbers are ASCII digits, with one decimal point at most: `inf`, `0x10`, `1e3`, `+5`, `-1` and
/// `5, 6` are none. A hint that cannot be read is nil, and never hides the error it came with.
public enum RetryHint {
  /// What no hint exceeds: about 31 years. Bounded so that no sum overflows.
  public static let longest = Duration.seconds(1_000_000_000)

  /// - Parameters:
  ///   - retryAfterMilliseconds: the value of `retry-after-ms`.
  ///   - retryAfter: the value of `Retry-After`.
  ///   - date: the response's own `Date`. A date is measured from it where it can be read, so that a
  ///     wrong clock here or there does no harm.
  ///   - wallSeconds: the present in seconds since 1970, used where there is no `Date`.
  /// - Returns: zero or more; zero for a date that has passed.
  public static func delay(
    retryAfterMilliseconds: String? = nil, retryAfter: String? = nil, date: String? = nil,
    wallSeconds: Double
  ) -> Duration? {
    if let number = retryAfterMilliseconds.flatMap(number) { return bounded(number / 1000) }
    guard let retryAfter else { return nil }
    if let number = number(retryAfter) { return bounded(number) }
    let wall = wallSeconds.isFinite ? wallSeconds : 0
    let base = date.flatMap { HTTPDate.seconds($0, now: wall) }.map(Double.init) ?? wall
    guard let moment = HTTPDate.seconds(retryAfter, now: base) else { return nil }
    return bounded(Double(moment) - base)
  }

  /// The gateway's `x-should-retry`; nil for anything but `true` and `false`.
  public static func shouldRetry(_ value: String?) -> Bool? {
    switch value.map({ HTTPDate.trimmed($0).lowercased() }) {
    case "true": true
    case "false": false
    default: nil
    }
  }

  private static func bounded(_ seconds: Double) -> Duration {
    guard seconds > 0 else { return .zero }
    guard seconds < longest.inSeconds else { return longest }
    // Up to the next millisecond: early is wrong, a millisecond late is not.
    return .milliseconds(Int64((seconds * 1000).rounded(.up)))
  }

  private static func number(_ text: String) -> Double? {
    let parts = HTTPDate.trimmed(text).utf8.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }) else { return nil }
    return Double(parts.map { String(Substring($0)) }.joined(separator: "."))
  }
}

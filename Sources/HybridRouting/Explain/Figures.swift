import HybridCore

/// Numbers from a check's details, written for people.
enum Figures {
  /// `1,536 tokens`.
  static func tokens(_ value: JSONValue?) -> String {
    guard let count = value?.int else { return "an unknown number of tokens" }
    return count == 1 ? "1 token" : "\(grouped(count)) tokens"
  }

  /// `0.3 s`, `12 s`; whole from ten seconds on.
  static func seconds(_ value: JSONValue?) -> String {
    guard let seconds = value?.double, abs(seconds) < 1e12 else { return "an unknown time" }
    return seconds.magnitude < 10 ? "\(tenths(seconds)) s" : "\(grouped(Int(seconds.rounded()))) s"
  }

  /// `512.0 MB`, `1.4 GB`.
  static func bytes(_ value: Int?) -> String {
    value.map { ByteText.of($0) } ?? "an unknown size"
  }

  static func text(_ value: JSONValue?) -> String {
    value?.string ?? "unknown"
  }

  private static func tenths(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    return "\(sign)\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
  }

  private static func grouped(_ value: Int) -> String {
    var digits = String(value.magnitude)
    var groups: [Substring] = []
    while digits.count > 3 {
      groups.insert(digits.suffix(3), at: 0)
      digits = String(digits.dropLast(3))
    }
    groups.insert(digits[...], at: 0)
    return (value < 0 ? "-" : "") + groups.joined(separator: ",")
  }
}

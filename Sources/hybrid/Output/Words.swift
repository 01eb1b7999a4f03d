internal import HybridCore

/// Numbers written for people.
enum Words {
  /// `180 ms`, `2.4 s`, `75 s`.
  static func duration(_ duration: Duration) -> String {
    let seconds = duration.inSeconds
    if seconds < 1 { return "\(Int((seconds * 1000).rounded())) ms" }
    return seconds < 10 ? "\(seconds.rounded(to: 1)) s" : "\(Int(seconds.rounded())) s"
  }

  /// `98.4 MB`.
  static func bytes(_ count: some BinaryInteger) -> String { ByteText.of(count) }

  /// Capitalised and closed, whatever the sentence came as.
  static func sentence(_ text: String) -> String {
    let closed = text.last.map { ".?!…".contains($0) } ?? true
    return text.prefix(1).uppercased() + text.dropFirst() + (closed ? "" : ".")
  }
}

extension Double {
  /// Rounded to so many digits after the point, all of them shown.
  func rounded(to digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = (self * scale).rounded()
    guard scaled.magnitude < 1e15 else { return "\(self)" }
    let whole = Int(scaled.magnitude) / Int(scale)
    let fraction = String(Int(scaled.magnitude) % Int(scale))
    let padding = String(repeating: "0", count: digits - fraction.count)
    return (scaled < 0 ? "-" : "") + "\(whole).\(padding)\(fraction)"
  }
}

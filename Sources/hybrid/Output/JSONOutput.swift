internal import HybridCore

/// JSON for stdout.
enum JSONOutput {
  /// One line with its end.
  ///
  /// JSON itself escapes only the first 32 control characters. On a terminal the others are escaped
  /// too, which changes the text but not its meaning: outside of strings there are none.
  static func line(_ value: JSONValue, isTerminal: Bool) -> String {
    let text = JSONWriter.compact.string(value) + "\n"
    guard isTerminal, text.unicodeScalars.contains(where: isLateControl) else { return text }
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isLateControl(scalar) {
        let digits = String(scalar.value, radix: 16)
        escaped.append(contentsOf: "\\u00\(digits)".unicodeScalars)
      } else {
        escaped.append(scalar)
      }
    }
    return String(escaped)
  }

  private static func isLateControl(_ scalar: Unicode.Scalar) -> Bool {
    (0x7F...0x9F).contains(scalar.value)
  }
}

/// Makes text harmless to a terminal.
///
/// A model can be talked into printing escape sequences, which move the cursor, change the title or
/// worse. A pipe gets every byte as it is; a terminal gets a picture of each control character.
enum TerminalText {
  /// - Parameter keepsLines: newlines and tabs stay what they are.
  static func harmless(_ text: String, keepsLines: Bool = true) -> String {
    // Nearly all text has none, and is left alone.
    guard text.unicodeScalars.contains(where: { isControl($0, keepsLines: keepsLines) }) else {
      return text
    }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      result.append(isControl(scalar, keepsLines: keepsLines) ? picture(of: scalar) : scalar)
    }
    return String(result)
  }

  private static func isControl(_ scalar: Unicode.Scalar, keepsLines: Bool) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: !keepsLines
    case 0x00...0x1F, 0x7F...0x9F: true
    default: false
    }
  }

  /// U+2400 and on are pictures of the C0 characters; the C1 characters have none.
  private static func picture(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x00...0x1F: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    default: "\u{FFFD}"
    }
  }
}

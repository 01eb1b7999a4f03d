/// Numbers as Python writes and reads them.
enum PythonNumber {
  /// Python's `repr` of a float: the shortest digits that read back the same, with an exponent
  /// below 1e-4 and from 1e16 on.
  static func text(of value: Double) -> String {
    if value.isNaN { return "nan" }
    if value.isInfinite { return value < 0 ? "-inf" : "inf" }
    if value == 0 { return value.sign == .minus ? "-0.0" : "0.0" }
    let (digits, exponent) = shortestDigits(of: value.magnitude)
    let sign = value < 0 ? "-" : ""
    if exponent < -4 || exponent >= 16 {
      let fraction = digits.dropFirst()
      let mantissa =
        fraction.isEmpty ? "\(digits.first ?? "0")" : "\(digits.first ?? "0").\(fraction)"
      let power = String(exponent.magnitude)
      let padded = power.utf8.count < 2 ? "0" + power : power
      return "\(sign)\(mantissa)e\(exponent < 0 ? "-" : "+")\(padded)"
    }
    if exponent < 0 {
      return "\(sign)0.\(String(repeating: "0", count: -exponent - 1))\(digits)"
    }
    let whole = digits.prefix(exponent + 1)
    let zeros = String(repeating: "0", count: exponent + 1 - whole.count)
    let fraction = digits.dropFirst(exponent + 1)
    return "\(sign)\(whole)\(zeros).\(fraction.isEmpty ? "0" : fraction)"
  }

  /// The significant digits of a positive number, and the power of ten of the first one.
  private static func shortestDigits(of value: Double) -> (digits: String, exponent: Int) {
    // Swift's description has the same shortest digits, only in another layout.
    let text = value.description
    let parts = text.split(separator: "e")
    let scale = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let sides = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let whole = String(sides[0])
    let fraction = sides.count > 1 ? String(sides[1]) : ""
    let all = whole + fraction
    let significant = all.drop { $0 == "0" }
    let leading = all.count - significant.count
    var digits = String(significant)
    while digits.last == "0" { digits.removeLast() }
    return (digits, whole.count - 1 - leading + scale)
  }

  /// Reads a whole number as Python's `int(text, base)` does, nil where that fails.
  static func integer(_ text: TemplateString, base: Int = 10) -> Int? {
    var digits = text.stripped(.both).text[...]
    var isNegative = false
    if digits.hasPrefix("-") || digits.hasPrefix("+") {
      isNegative = digits.hasPrefix("-")
      digits = digits.dropFirst()
    }
    let prefixes: [(String, Int)] = [("0x", 16), ("0o", 8), ("0b", 2)]
    var radix = base
    for (prefix, value) in prefixes where base == value || base == 0 {
      if digits.lowercased().hasPrefix(prefix) {
        digits = digits.dropFirst(2)
        radix = value
        break
      }
    }
    if radix == 0 { radix = 10 }
    guard (2...36).contains(radix), let plain = withoutUnderscores(digits) else { return nil }
    guard !plain.hasPrefix("-"), !plain.hasPrefix("+") else { return nil }
    return Int((isNegative ? "-" : "") + plain, radix: radix)
  }

  /// Reads a number as Python's `float(text)` does, nil where that fails.
  static func float(_ text: TemplateString) -> Double? {
    let trimmed = text.stripped(.both).text
    let unsigned = trimmed.drop { $0 == "-" || $0 == "+" }
    if ["inf", "infinity"].contains(unsigned.lowercased()) {
      return trimmed.hasPrefix("-") ? -Double.infinity : .infinity
    }
    if unsigned.lowercased() == "nan" { return .nan }
    let allowed = trimmed.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-._eE".utf8.contains(byte)
    }
    guard allowed, let plain = withoutUnderscores(trimmed[...]) else { return nil }
    return Double(plain)
  }

  /// Digits without the single underscores that Python allows between them.
  private static func withoutUnderscores(_ text: Substring) -> String? {
    guard text.utf8.contains(UInt8(ascii: "_")) else { return text.isEmpty ? nil : String(text) }
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ $0.first?.isHexDigit == true && $0.last?.isHexDigit == true }) else {
      return nil
    }
    return parts.joined()
  }

  /// A code point as an escape in Python's `repr`.
  static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case ..<0x100: "\\x" + hex(scalar.value, width: 2)
    case ..<0x10000: "\\u" + hex(scalar.value, width: 4)
    default: "\\U" + hex(scalar.value, width: 8)
    }
  }

  /// Lower-case hexadecimal digits, filled up with zeros.
  static func hex(_ value: UInt32, width: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

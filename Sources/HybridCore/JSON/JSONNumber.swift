/// A JSON number by its literal, so that no digit is lost: 2^53 + 1 stays what it is.
public struct JSONNumber: Sendable, Hashable {
  public let literal: String

  /// - Parameter literal: must be a JSON number; the reader and the other initialisers see to it.
  package init(uncheckedLiteral literal: String) {
    self.literal = literal
  }

  public init(_ value: Int) {
    literal = String(value)
  }

  /// - Returns: nil for infinities and NaN, which JSON cannot write.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    // Swift prints the shortest text that reads back as the same Double.
    literal = value == value.rounded() && abs(value) <= 0x1p53 ? String(Int64(value)) : "\(value)"
  }

  /// The value where the literal is a whole number that fits: `3`, `3.0` and `3e2` are whole.
  public var int: Int? { Int(literal) ?? wholeNumber }

  /// The nearest Double; nil where it would overflow.
  public var double: Double? {
    guard let value = Double(literal), value.isFinite else { return nil }
    return value
  }
}

extension JSONNumber {
  /// The exact value of a literal with a point or an exponent. By way of a Double, digits would be
  /// lost above 2^53.
  private var wholeNumber: Int? {
    var digits: [UInt8] = []
    var scale = 0
    var text = literal.utf8[...]
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative { text = text.dropFirst() }
    if let mark = text.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
      let written = String(decoding: text[text.index(after: mark)...], as: UTF8.self)
      // Any bound far over a literal's length will do: beyond it only zero is whole.
      let bound = 1 << 40
      scale =
        Int(written).map { min(max($0, -bound), bound) } ?? (written.first == "-" ? -bound : bound)
      text = text[..<mark]
    }
    var isFraction = false
    for byte in text {
      if byte == UInt8(ascii: ".") {
        isFraction = true
        continue
      }
      digits.append(byte)
      if isFraction { scale -= 1 }
    }
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      scale += 1
    }
    let leading = digits.prefix { $0 == UInt8(ascii: "0") }.count
    digits.removeFirst(leading)
    if digits.isEmpty { return 0 }
    guard scale >= 0, scale <= 18 else { return nil }
    digits.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: scale))
    return Int((isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self))
  }
}

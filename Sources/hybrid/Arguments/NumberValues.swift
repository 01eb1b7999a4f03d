internal import HybridCore

/// Reads the numbers of options strictly: ASCII digits as people write them, within a range.
///
/// Swift's own readers also take `+5`, `0x10`, `inf` and `nan`.
extension ParsedArguments {
  /// - Throws: `usage` with the value and the range.
  func integer(_ option: Option, in range: ClosedRange<Int>) throws(HybridError) -> Int? {
    guard let text = value(option) else { return nil }
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let isWritten = !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }
    guard isWritten, let number = Int(text), range.contains(number) else {
      let bounds =
        range.upperBound == .max
        ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw .badValue(text, of: option, wanted: "a whole number \(bounds)")
    }
    return number
  }

  /// - Parameter isOpenBelow: the lower bound itself is not allowed.
  /// - Throws: `usage` with the value and the range.
  func decimal(
    _ option: Option, in range: ClosedRange<Double>, isOpenBelow: Bool = false
  ) throws(HybridError) -> Double? {
    guard let text = value(option) else { return nil }
    let isWritten = text.allSatisfy { $0.isASCII && ($0.isNumber || "-.eE".contains($0)) }
    guard isWritten, let number = Double(text), range.contains(number),
      !isOpenBelow || number > range.lowerBound
    else {
      let low = "\(isOpenBelow ? "over" : "from") \(range.lowerBound.short)"
      throw .badValue(
        text, of: option, wanted: "a number \(low) up to \(range.upperBound.short)")
    }
    return number
  }
}

extension HybridError {
  static func badValue(_ text: String, of option: Option, wanted: String) -> HybridError {
    .usage(
      "\(option.spelling) is \(text.quoted)", nextStep: "Give \(wanted)",
      details: ["option": .string(option.spelling), "value": .string(text)])
  }
}

extension Double {
  /// Without a fraction where there is none.
  fileprivate var short: String {
    Int(exactly: self).map(String.init) ?? String(self)
  }
}

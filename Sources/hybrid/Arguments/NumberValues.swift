internal import HybridCore

/// Reads the numbers of options strictly: ASCII digits as people write them, within a range.
///
/// Swift's own readers also take `+5`, `0x10`, `inf` and `nan`.
extension ParsedArguments {
  /// - Throws: `usage` with the value and the range.
  func integer(_ option: Option, in range: ClosedRange<Int>) throws(HybridError) -> Int? {
    guard let text = value(option) else { return nil }
    guard let number = Int(written: text), range.contains(number) else {
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
    guard let number = Double(written: text), range.contains(number),
      !isOpenBelow || number > range.lowerBound
    else {
      let low = "\(isOpenBelow ? "over" : "from") \(range.lowerBound.short)"
      throw .badValue(
        text, of: option, wanted: "a number \(low) up to \(range.upperBound.short)")
    }
    return number
  }

  /// `TOKEN=X` as often as it is given; the last one for a token counts.
  ///
  /// - Throws: `usage` with the value.
  func biases(_ option: Option) throws(HybridError) -> [Int: Double] {
    var biases: [Int: Double] = [:]
    for text in values(option) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let token = Int(written: parts[0]),
        let bias = Double(written: parts[1]), (0...Int(Int32.max)).contains(token),
        (-100...100).contains(bias)
      else {
        throw .badValue(
          text, of: option, wanted: "a token's number and a bias from -100 to 100, such as 198=-100"
        )
      }
      biases[token] = bias
    }
    return biases
  }
}

extension Int {
  fileprivate init?(written text: some StringProtocol) {
    let digits = text.drop { $0 == "-" }
    guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    self.init(String(text))
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
  fileprivate init?(written text: some StringProtocol) {
    guard text.allSatisfy({ $0.isASCII && ($0.isNumber || "-.eE".contains($0)) }) else {
      return nil
    }
    self.init(String(text))
  }

  /// Without a fraction where there is none.
  fileprivate var short: String {
    Int(exactly: self).map(String.init) ?? String(self)
  }
}

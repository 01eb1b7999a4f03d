/// Arithmetic on numbers, strings and lists.
extension JinjaInterpreter {
  func arithmetic(
    _ operation: JinjaArithmetic, _ left: JinjaValue, _ right: JinjaValue
  ) throws(TemplateError) -> JinjaValue {
    for operand in [left, right] { try requireDefined(operand) }
    switch (operation, left, right) {
    case (.add, .string(let a), .string(let b)):
      try reserve(bytes: a.count + b.count)
      if a.isMarkup || b.isMarkup {
        var sum = a.escapedForHTML + b.escapedForHTML
        sum.isMarkup = true
        return .string(sum)
      }
      return .string(a + b)
    case (.add, .list(let a), .list(let b)):
      try reserve(elements: a.count + b.count)
      return .list(a.array + b.array)
    case (.add, .tuple(let a), .tuple(let b)):
      try reserve(elements: a.count + b.count)
      return .tuple(a.array + b.array)
    case (.multiply, _, _) where left.integer == nil || right.integer == nil:
      if let repeated = try repeated(left, right) { return repeated }
    case (.modulo, .string(let format), _):
      return .string(try percentFormat(format, right))
    default: break
    }
    if let a = left.integer, let b = right.integer {
      let origin: TextOrigin =
        left.isContentNumber || right.isContentNumber ? .content : .template
      return try integers(operation, a, b, origin)
    }
    guard let a = left.number, let b = right.number else {
      throw fail("'\(operation.rawValue)' does not work between \(typeNames(left, right))")
    }
    return .float(try floats(operation, a, b))
  }

  func typeError(_ operation: String, _ value: JinjaValue) -> TemplateError {
    fail("'\(operation)' does not work on \(value.typeName)")
  }

  /// Anything but tests and output of something undefined is an error.
  func requireDefined(_ value: JinjaValue) throws(TemplateError) {
    guard case .undefined(let undefined) = value else { return }
    throw undefinedError(undefined)
  }

  func undefinedError(_ undefined: JinjaValue.Undefined) -> TemplateError {
    if case .forbidden = undefined {
      return fail("\(undefined.what) may not be used in a template")
    }
    return fail("\(undefined.what) is undefined")
  }

  /// `"ab" * 3`, `3 * [1]`; nil where neither side is repeatable.
  private func repeated(
    _ left: JinjaValue, _ right: JinjaValue
  ) throws(TemplateError) -> JinjaValue? {
    let value = right.integer == nil ? right : left
    guard let times = right.integer ?? left.integer else { return nil }
    func size(_ count: Int) -> Int {
      let (product, overflow) = count.multipliedReportingOverflow(by: max(0, times))
      return overflow ? Int.max : product
    }
    switch value {
    case .string(let text):
      try reserve(bytes: size(text.count))
      return .string(text.repeated(times))
    case .list(let items):
      try reserve(elements: size(items.count))
      return .list(Array(repeatElement(items, count: max(0, times)).joined()))
    case .tuple(let items):
      try reserve(elements: size(items.count))
      return .tuple(Array(repeatElement(items, count: max(0, times)).joined()))
    default: return nil
    }
  }

  private func integers(
    _ operation: JinjaArithmetic, _ a: Int, _ b: Int, _ origin: TextOrigin
  ) throws(TemplateError) -> JinjaValue {
    let result: (partialValue: Int, overflow: Bool)
    switch operation {
    case .add: result = a.addingReportingOverflow(b)
    case .subtract: result = a.subtractingReportingOverflow(b)
    case .multiply: result = a.multipliedReportingOverflow(by: b)
    case .divide:
      guard b != 0 else { throw fail("a division by zero") }
      return .float(Double(a) / Double(b))
    case .floorDivide, .modulo:
      guard b != 0 else { throw fail("a division by zero") }
      let (quotient, remainder) = a.quotientAndRemainder(checked: b)
      // Python rounds down, and its remainder has the sign of the divisor.
      let roundsUp = remainder != 0 && (remainder < 0) != (b < 0)
      if operation == .modulo { return .int(roundsUp ? remainder + b : remainder, origin) }
      guard let quotient else { throw unsupported("a number beyond 64 bits") }
      return .int(roundsUp ? quotient - 1 : quotient, origin)
    case .power:
      if b < 0 {
        guard a != 0 else { throw fail("a division by zero") }
        return .float(Self.power(Double(a), b))
      }
      var product = 1
      for _ in 0..<(a.magnitude <= 1 ? min(b, 2 + b % 2) : b) {
        let next = product.multipliedReportingOverflow(by: a)
        guard !next.overflow else { throw unsupported("a number beyond 64 bits") }
        product = next.partialValue
      }
      return .int(product, origin)
    }
    guard !result.overflow else { throw unsupported("a number beyond 64 bits") }
    return .int(result.partialValue, origin)
  }

  private static func power(_ base: Double, _ exponent: Int) -> Double {
    var result = 1.0
    for _ in 0..<min(exponent.magnitude, 4096) { result *= base }
    return exponent < 0 ? 1 / result : result
  }

  private func floats(
    _ operation: JinjaArithmetic, _ a: Double, _ b: Double
  ) throws(TemplateError) -> Double {
    switch operation {
    case .add: return a + b
    case .subtract: return a - b
    case .multiply: return a * b
    case .divide:
      guard b != 0 else { throw fail("a division by zero") }
      return a / b
    case .floorDivide:
      guard b != 0 else { throw fail("a division by zero") }
      return (a / b).rounded(.down)
    case .modulo:
      guard b != 0 else { throw fail("a division by zero") }
      let remainder = a.truncatingRemainder(dividingBy: b)
      return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder
    case .power:
      guard let exponent = Int(exactly: b), exponent.magnitude <= 4096 else {
        throw unsupported("a power with this exponent")
      }
      return Self.power(a, exponent)
    }
  }

  func negated(_ value: JinjaValue) throws(TemplateError) -> JinjaValue {
    try requireDefined(value)
    if case .float(let number) = value { return .float(-number) }
    guard let number = value.integer else { throw typeError("-", value) }
    let (result, overflow) = 0.subtractingReportingOverflow(number)
    guard !overflow else { throw unsupported("a number beyond 64 bits") }
    return .int(result, value.isContentNumber ? .content : .template)
  }
}

extension JinjaValue {
  /// Whether a number's digits come from the conversation.
  var isContentNumber: Bool {
    if case .int(_, .content) = self { true } else { false }
  }
}

extension Int {
  /// Quotient and remainder; no quotient where that needs a 65th bit.
  fileprivate func quotientAndRemainder(checked divisor: Int) -> (quotient: Int?, remainder: Int) {
    let quotient = dividedReportingOverflow(by: divisor)
    let remainder = remainderReportingOverflow(dividingBy: divisor)
    return (
      quotient.overflow ? nil : quotient.partialValue,
      remainder.overflow ? 0 : remainder.partialValue
    )
  }
}

/// Operators, from the loosest to the tightest.
extension JinjaParser {
  /// How tightly operators bind.
  private enum Binding: Int, Comparable {
    case or, and, not, comparison, sum, concatenation, product, power

    static func < (left: Binding, right: Binding) -> Bool { left.rawValue < right.rawValue }
  }

  /// An expression, or several with commas between them as a tuple.
  mutating func parseTuple(
    withConditional: Bool = true, endingWith end: String? = nil, inParentheses: Bool = false
  ) throws(TemplateError) -> JinjaExpression {
    let line = line
    var items: [JinjaExpression] = []
    var isTuple = false
    while true {
      if !items.isEmpty { try expect(.comma) }
      if isTupleEnd(end) { break }
      items.append(try parseExpression(withConditional: withConditional))
      guard isSymbol(.comma) else { break }
      isTuple = true
    }
    if !isTuple {
      if let only = items.first { return only }
      guard inParentheses else { throw error("an expression expected") }
    }
    return try make(.tuple(items), line: line, over: items)
  }

  private func isTupleEnd(_ end: String?) -> Bool {
    switch current.kind {
    case .variableEnd, .blockEnd, .symbol(.rightParenthesis): true
    default: end.map(isName) ?? false
    }
  }

  /// One expression; a conditional one (`a if b else c`) unless that is left to the caller.
  mutating func parseExpression(
    withConditional: Bool = true
  ) throws(TemplateError) -> JinjaExpression {
    try nested { parser throws(TemplateError) in
      let line = parser.line
      let unknownBefore = parser.unknownUse
      var value = try parser.parseOperators(from: .or)
      guard withConditional else { return value }
      while parser.skip(name: "if") {
        // Only now is it known that the value may never be evaluated.
        parser.unknownUse = unknownBefore
        let outer = parser.isConditional
        parser.isConditional = true
        defer { parser.isConditional = outer }
        let condition = try parser.parseOperators(from: .or)
        let otherwise: JinjaExpression? =
          parser.skip(name: "else") ? try parser.parseExpression() : nil
        value = try parser.make(
          .conditional(value, condition: condition, otherwise: otherwise), line: line,
          over: value, condition, otherwise)
      }
      return value
    }
  }

  /// Precedence climbing: everything that binds at least as tightly as `least`.
  private mutating func parseOperators(from least: Binding) throws(TemplateError) -> JinjaExpression
  {
    let line = line
    var left: JinjaExpression
    if least <= .not, isName("not") {
      advance()
      let operand = try nested { parser throws(TemplateError) in
        try parser.parseOperators(from: .not)
      }
      left = try make(.not(operand), line: line, over: operand)
    } else {
      left = try parseUnary()
    }
    while let binding = currentBinding, binding >= least {
      let line = self.line
      switch binding {
      case .or:
        advance()
        let right = try parseOperators(from: .and)
        left = try make(.or(left, right), line: line, over: left, right)
      case .and:
        advance()
        let right = try parseOperators(from: .not)
        left = try make(.and(left, right), line: line, over: left, right)
      case .not, .comparison:
        var operands: [(operation: JinjaComparison, operand: JinjaExpression)] = []
        while let operation = skipComparison() {
          operands.append((operation, try parseOperators(from: .sum)))
        }
        left = try make(
          .comparison(left, operands), line: line, over: [left] + operands.map(\.operand))
      case .concatenation:
        var parts = [left]
        while skip(.tilde) { parts.append(try parseOperators(from: .product)) }
        left = try make(.concatenation(parts), line: line, over: parts)
      case .sum, .product, .power:
        guard case .symbol(let symbol) = current.kind,
          let operation = JinjaArithmetic(rawValue: symbol.rawValue)
        else { throw error("an operator expected") }
        advance()
        let right: JinjaExpression
        switch binding {
        case .sum: right = try parseOperators(from: .concatenation)
        case .product: right = try parseOperators(from: .power)
        default: right = try parseUnary()
        }
        if operation == .add {
          var parts = [left]
          if case .sum(let before) = left.kind, before.count < Self.mostParts { parts = before }
          if let joined = try joined(parts[parts.count - 1], right) {
            parts[parts.count - 1] = joined
          } else {
            parts.append(right)
          }
          left = parts.count == 1 ? parts[0] : try make(.sum(parts), line: line, over: parts)
        } else {
          left = try make(.arithmetic(operation, left, right), line: line, over: left, right)
        }
      }
    }
    return left
  }

  /// Text behind text as one, as in `name + '<|im_end|>' + '\n'`: what cannot take the first of them
  /// in cannot take both in either.
  private mutating func joined(
    _ left: JinjaExpression, _ right: JinjaExpression
  ) throws(TemplateError) -> JinjaExpression? {
    guard case .string(let first) = left.kind, case .string(let second) = right.kind,
      first.count < Self.longestJoined
    else { return nil }
    return try make(.string(first + second), line: left.line)
  }

  /// Each text that joins copies those before it.
  private static let longestJoined = 256

  /// Of a sum. Longer ones are sums of sums.
  private static let mostParts = 32

  /// How tightly the operator that stands here binds.
  private var currentBinding: Binding? {
    switch current.kind {
    case .name("or"): .or
    case .name("and"): .and
    case .name("in"): .comparison
    case .name("not"): next.kind == .name("in") ? .comparison : nil
    case .symbol(let symbol):
      switch symbol {
      case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: .comparison
      case .add, .subtract: .sum
      case .tilde: .concatenation
      case .multiply, .divide, .floorDivide, .modulo: .product
      case .power: .power
      default: nil
      }
    default: nil
    }
  }

  private mutating func skipComparison() -> JinjaComparison? {
    switch current.kind {
    case .symbol(let symbol):
      guard let operation = JinjaComparison(rawValue: symbol.rawValue) else { return nil }
      advance()
      return operation
    case .name("in"):
      advance()
      return .isIn
    case .name("not") where next.kind == .name("in"):
      advance()
      advance()
      return .isNotIn
    default: return nil
    }
  }

  /// Signs, then the operand with its subscripts, calls, filters and tests.
  private mutating func parseUnary(
    withFilters: Bool = true
  ) throws(TemplateError) -> JinjaExpression {
    let line = line
    var value: JinjaExpression
    if isSymbol(.subtract) || isSymbol(.add) {
      let isNegative = isSymbol(.subtract)
      advance()
      let operand = try nested { parser throws(TemplateError) in
        try parser.parseUnary(withFilters: false)
      }
      value = try make(isNegative ? .negate(operand) : .plus(operand), line: line, over: operand)
    } else {
      value = try parsePrimary()
    }
    value = try parsePostfix(value)
    return withFilters ? try parseFiltersAndTests(value) : value
  }
}

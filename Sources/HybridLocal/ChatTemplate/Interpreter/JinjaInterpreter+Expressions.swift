/// Expressions.
extension JinjaInterpreter {
  func evaluate(
    _ expression: JinjaExpression, in scope: JinjaScope
  ) throws(TemplateError) -> JinjaValue {
    // The commonest ones first and without going deeper.
    switch expression.kind {
    case .string(let text):
      try spend(1)
      return .string(text)
    case .name(let symbol):
      try spend(1)
      return scope.value(of: symbol) ?? .undefined(.variable(symbols.name(of: symbol)))
    case .none: return .none
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(value)
    case .float(let value): return .float(value)
    default: break
    }
    if let (dict, place) = found(expression.entry, in: scope) {
      try spend(3)
      return dict.entries.values[place]
    }
    try enter()
    defer { leave() }
    line = expression.line
    switch expression.kind {
    case .attribute(let object, let name):
      return try attribute(name, of: try evaluate(object, in: scope))
    case .item(let object, let index):
      let object = try evaluate(object, in: scope)
      return try item(try evaluate(index, in: scope), of: object)
    case .call(let function, let arguments):
      if case .attribute(let object, let name) = function.kind, let method = name.stringMethod {
        return try call(name, method, of: object, arguments, line: expression.line, in: scope)
      }
      let function = try evaluate(function, in: scope)
      let arguments = try evaluate(arguments, in: scope)
      line = expression.line
      return try call(function, arguments)
    case .filter(let value, let use):
      return try apply(use, to: try evaluate(value, in: scope), in: scope)
    case .test(let value, let use):
      return .bool(try evaluate(use, of: try evaluate(value, in: scope), in: scope))
    case .arithmetic(let operation, let left, let right):
      let left = try evaluate(left, in: scope)
      let right = try evaluate(right, in: scope)
      line = expression.line
      return try arithmetic(operation, left, right)
    case .sum(let parts): return try sum(parts, line: expression.line, in: scope)
    case .comparison(let first, let operands):
      return .bool(try compare(first, operands, in: scope))
    case .and(let left, let right):
      let value = try evaluate(left, in: scope)
      return value.isTrue ? try evaluate(right, in: scope) : value
    case .or(let left, let right):
      let value = try evaluate(left, in: scope)
      return value.isTrue ? value : try evaluate(right, in: scope)
    case .not(let operand): return .bool(!(try evaluate(operand, in: scope).isTrue))
    case .conditional(let value, let condition, let otherwise):
      if try evaluate(condition, in: scope).isTrue { return try evaluate(value, in: scope) }
      guard let otherwise else {
        return .undefined("the missing 'else' of a conditional expression")
      }
      return try evaluate(otherwise, in: scope)
    default: return try evaluateRarer(expression, in: scope)
    }
  }

  /// Where a dictionary has what an expression reads of it.
  @inline(__always)
  private func found(
    _ entry: JinjaExpression.Entry?, in scope: JinjaScope
  ) -> (dict: JinjaDict, place: Int)? {
    guard let entry, case .dict(let dict)? = scope.value(of: entry.variable),
      let place = dict.place(of: entry.key)
    else { return nil }
    return (dict, place)
  }

  /// The others, apart so that the frames of deep expressions stay small.
  private func evaluateRarer(
    _ expression: JinjaExpression, in scope: JinjaScope
  ) throws(TemplateError) -> JinjaValue {
    switch expression.kind {
    case .list(let items): return .list(try evaluate(items, in: scope))
    case .tuple(let items): return .tuple(try evaluate(items, in: scope))
    case .dict(let pairs):
      var entries: [(key: JinjaValue, value: JinjaValue)] = []
      for pair in pairs {
        let key = try evaluate(pair.key, in: scope)
        entries.append((key, try evaluate(pair.value, in: scope)))
      }
      guard let dict = JinjaDict(entries) else { throw fail("a key of a type that cannot be one") }
      return .dict(dict)
    case .slice(let object, let start, let stop, let step):
      let object = try evaluate(object, in: scope)
      let indices = PythonSlice(
        start: try sliceIndex(start, in: scope), stop: try sliceIndex(stop, in: scope),
        step: try sliceIndex(step, in: scope))
      return try slice(indices, of: object)
    case .concatenation(let parts):
      var result = TemplateString()
      for part in parts {
        let text = try text(of: try evaluate(part, in: scope))
        try checkSize(result.count + text.count)
        try spend(text.count >> 6)
        result.append(text)
      }
      return .string(result)
    case .negate(let operand): return try negated(try evaluate(operand, in: scope))
    case .plus(let operand):
      let value = try evaluate(operand, in: scope)
      guard value.number != nil else { throw typeError("+", value) }
      if case .bool = value { return .int(value.integer ?? 0) }
      return value
    default: throw unsupported("an expression")
    }
  }

  private func evaluate(
    _ expressions: [JinjaExpression], in scope: JinjaScope
  ) throws(TemplateError) -> [JinjaValue] {
    var values: [JinjaValue] = []
    values.reserveCapacity(expressions.count)
    for expression in expressions { values.append(try evaluate(expression, in: scope)) }
    return values
  }

  private func sliceIndex(
    _ expression: JinjaExpression?, in scope: JinjaScope
  ) throws(TemplateError) -> Int? {
    guard let expression else { return nil }
    let value = try evaluate(expression, in: scope)
    if case .none = value { return nil }
    guard let index = value.integer else {
      throw fail("a slice takes whole numbers, not \(value.typeName)")
    }
    return index
  }

  func evaluate(
    _ arguments: JinjaCallArguments, in scope: JinjaScope
  ) throws(TemplateError) -> JinjaArguments {
    var result = JinjaArguments(positional: try evaluate(arguments.positional, in: scope))
    for keyword in arguments.keywords {
      result.keywords.append((keyword.name, try evaluate(keyword.value, in: scope)))
    }
    if let splat = arguments.splat {
      result.positional += try items(of: try evaluate(splat, in: scope))
    }
    if let splat = arguments.keywordSplat {
      let value = try evaluate(splat, in: scope)
      guard case .dict(let dict) = value else {
        throw fail("a mapping expected behind '**', not \(value.typeName)")
      }
      for entry in dict.entries {
        guard case .string(let name) = entry.key else {
          throw fail("names of arguments must be strings")
        }
        result.keywords.append((name, entry.value))
      }
    }
    return result
  }

  /// `object.name(arguments)` where strings have a method of that name.
  private func call(
    _ name: JinjaMemberName, _ method: JinjaMethod, of object: JinjaExpression,
    _ arguments: JinjaCallArguments, line callLine: Int, in scope: JinjaScope
  ) throws(TemplateError) -> JinjaValue {
    let object = try evaluate(object, in: scope)
    if case .string = object {
      let arguments = try evaluate(arguments, in: scope)
      line = callLine
      return try method(self, object, arguments)
    }
    let function = try attribute(name, of: object)
    let arguments = try evaluate(arguments, in: scope)
    line = callLine
    return try call(function, arguments)
  }

  /// Writes a sum's parts as they come: mostly they are strings, and nobody needs the whole.
  func emit(
    _ parts: [JinjaExpression], line sumLine: Int, in scope: JinjaScope
  ) throws(TemplateError) {
    let start = output.count
    let parts = parts.span
    for place in parts.indices {
      if case .string(let text) = parts[place].kind {
        try spend(1)
        line = sumLine
        try emit(text)
        continue
      }
      if let (dict, place) = found(parts[place].entry, in: scope),
        case .string(let text) = dict.entries.values[place], !text.isMarkup
      {
        try spend(3)
        line = sumLine
        try emit(text)
        continue
      }
      let value = try evaluate(parts[place], in: scope)
      line = sumLine
      if case .string(let text) = value, !text.isMarkup {
        try emit(text)
        continue
      }
      var sum = value
      if place > 0 { sum = try arithmetic(.add, .string(takeOutput(from: start)), value) }
      for rest in (place + 1)..<parts.count {
        let next = try evaluate(parts[rest], in: scope)
        line = sumLine
        sum = try arithmetic(.add, sum, next)
      }
      return try emit(try text(of: sum))
    }
  }

  /// From the left, as any sum; strings grow in place instead of being copied at each step.
  private func sum(
    _ parts: [JinjaExpression], line sumLine: Int, in scope: JinjaScope
  ) throws(TemplateError) -> JinjaValue {
    var value = try evaluate(parts[0], in: scope)
    var place = 1
    if case .string(var text) = value, !text.isMarkup {
      value = .none
      while place < parts.count {
        let next = try evaluate(parts[place], in: scope)
        line = sumLine
        place += 1
        guard case .string(let more) = next, !more.isMarkup else {
          value = try arithmetic(.add, .string(text), next)
          break
        }
        try reserve(bytes: text.count + more.count)
        text.append(more)
        if place == parts.count { return .string(text) }
      }
    }
    while place < parts.count {
      let next = try evaluate(parts[place], in: scope)
      line = sumLine
      place += 1
      value = try arithmetic(.add, value, next)
    }
    return value
  }

  // MARK: Filters and tests

  func apply(
    _ use: JinjaFilterUse, to value: JinjaValue, in scope: JinjaScope
  ) throws(TemplateError) -> JinjaValue {
    let arguments = try evaluate(use.arguments, in: scope)
    line = use.line
    guard let filter = use.implementation else { throw unsupported("the filter '\(use.name)'") }
    return try filter.apply(self, value, arguments)
  }

  private func evaluate(
    _ use: JinjaTestUse, of value: JinjaValue, in scope: JinjaScope
  ) throws(TemplateError) -> Bool {
    let arguments = try evaluate(use.arguments, in: scope)
    line = use.line
    guard let test = use.implementation else { throw unsupported("the test '\(use.name)'") }
    return try test.apply(self, value, arguments)
  }

  // MARK: Comparison

  private func compare(
    _ first: JinjaExpression,
    _ operands: [(operation: JinjaComparison, operand: JinjaExpression)], in scope: JinjaScope
  ) throws(TemplateError) -> Bool {
    var left = try evaluate(first, in: scope)
    // With a string of the template's, by far the commonest: it need not become a value.
    if operands.count == 1, case .string(let right) = operands[0].operand.kind,
      case .string(let left) = left
    {
      switch operands[0].operation {
      case .equal:
        try spend(2 + min(left.count, right.count) >> 6)
        return left == right
      case .notEqual:
        try spend(2 + min(left.count, right.count) >> 6)
        return left != right
      default: break
      }
    }
    for (operation, operand) in operands {
      let right = try evaluate(operand, in: scope)
      guard try holds(operation, left, right) else { return false }
      left = right
    }
    return true
  }

  /// All values of what can be iterated.
  func items(of value: JinjaValue) throws(TemplateError) -> [JinjaValue] {
    switch value {
    case .list(let items), .tuple(let items), .view(_, let items):
      try reserve(elements: items.count)
      return items.array
    case .range(let range): try reserve(elements: range.count)
    case .string(let text): try reserve(elements: text.count)
    default: break
    }
    guard let iterator = JinjaIterator(value) else {
      throw fail("a value of type \(value.typeName) cannot be looped over")
    }
    var items: [JinjaValue] = []
    while let next = iterator.next() {
      try spend(1)
      items.append(next)
    }
    return items
  }
}

/// Filters that make numbers.
enum NumberFilters {
  static let int: JinjaFilter.Function = { interpreter, value, arguments throws(TemplateError) in
    let given = try interpreter.bind(arguments, "the filter 'int'", ["default", "base"])
    let fallback = given[0] ?? .int(0)
    switch value {
    case .undefined: try interpreter.requireDefined(value)
    case .int: return value
    case .bool: return .int(value.integer ?? 0)
    case .float(let number):
      return Int(exactly: number.rounded(.towardZero)).map { .int($0) } ?? fallback
    case .string(let text):
      let base = try interpreter.integer(given[1] ?? .int(10), "the filter 'int'")
      if let whole = PythonNumber.integer(text, base: base) {
        return .int(whole, text.mergedOrigin)
      }
      // As in Jinja, "42.23" gives 42.
      if let number = PythonNumber.float(text),
        let whole = Int(exactly: number.rounded(.towardZero))
      {
        return .int(whole, text.mergedOrigin)
      }
    default: break
    }
    return fallback
  }

  static let float: JinjaFilter.Function = { interpreter, value, arguments throws(TemplateError) in
    let given = try interpreter.bind(arguments, "the filter 'float'", ["default"])
    try interpreter.requireDefined(value)
    if let number = value.number { return .float(number) }
    if case .string(let text) = value, let number = PythonNumber.float(text) {
      return .float(number)
    }
    return given[0] ?? .float(0)
  }

  static let abs: JinjaFilter.Function = { interpreter, value, arguments throws(TemplateError) in
    _ = try interpreter.bind(arguments, "the filter 'abs'", [])
    if case .float(let number) = value { return .float(number.magnitude) }
    guard let number = value.integer else { throw interpreter.typeError("abs", value) }
    return number < 0 ? try interpreter.negated(value) : value
  }

  static let round: JinjaFilter.Function = { interpreter, value, arguments throws(TemplateError) in
    let given = try interpreter.bind(arguments, "the filter 'round'", ["precision", "method"])
    let precision = try interpreter.integer(given[0] ?? .int(0), "the filter 'round'")
    let method = try interpreter.string(given[1] ?? .string("common"), "the filter 'round'").text
    guard let number = value.number else { throw interpreter.typeError("round", value) }
    guard (0...15).contains(precision) else {
      throw interpreter.unsupported("the filter 'round' with this precision")
    }
    var scale = 1.0
    for _ in 0..<precision { scale *= 10 }
    switch method {
    case "common":
      if let whole = value.integer { return .int(whole) }
      guard precision > 0 else { return .float(number.rounded(.toNearestOrEven)) }
      throw interpreter.unsupported("the filter 'round' to decimal places")
    case "ceil": return .float((number * scale).rounded(.up) / scale)
    case "floor": return .float((number * scale).rounded(.down) / scale)
    default: throw interpreter.fail("the filter 'round' knows no such method")
    }
  }

  static let sum: JinjaFilter.Function = { interpreter, value, arguments throws(TemplateError) in
    let given = try interpreter.bind(arguments, "the filter 'sum'", ["attribute", "start"])
    var total = given[1] ?? .int(0)
    let path: [JinjaValue]? =
      if let attribute = given[0], !attribute.isNone { try interpreter.path(attribute) } else {
        nil
      }
    for item in try interpreter.items(of: value) {
      let part = try path.map { (path) throws(TemplateError) in
        try interpreter.value(at: path, of: item)
      }
      if case .string = total { throw interpreter.fail("the filter 'sum' cannot add strings") }
      total = try interpreter.arithmetic(.add, total, part ?? item)
    }
    return total
  }
}

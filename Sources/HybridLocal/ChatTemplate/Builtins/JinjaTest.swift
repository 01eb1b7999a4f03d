/// A test: what stands behind `is`.
struct JinjaTest: Sendable {
  typealias Function =
    @Sendable (JinjaInterpreter, JinjaValue, JinjaArguments) throws(TemplateError) -> Bool

  let apply: Function

  /// The test of a name, nil where there is none.
  static func named(_ name: String) -> JinjaTest? {
    table[name].map(JinjaTest.init)
  }

  private static let table: [String: Function] = [
    "defined": plain { !$0.isUndefined },
    "undefined": plain { $0.isUndefined },
    "none": plain { $0.isNone },
    "boolean": plain { if case .bool = $0 { true } else { false } },
    "true": plain { if case .bool(true) = $0 { true } else { false } },
    "false": plain { if case .bool(false) = $0 { true } else { false } },
    "integer": plain { if case .int = $0 { true } else { false } },
    "float": plain { if case .float = $0 { true } else { false } },
    "number": plain { $0.number != nil },
    "string": plain { if case .string = $0 { true } else { false } },
    "mapping": plain { if case .dict = $0 { true } else { false } },
    "sequence": plain(isSequence),
    "iterable": plain { if case .loop = $0 { true } else { JinjaIterator($0) != nil } },
    "callable": plain(isCallable),
    "escaped": plain { if case .string(let text) = $0 { text.isMarkup } else { false } },
    "lower": text { $0.isLower },
    "upper": text { $0.isUpper },
    "odd": divides(by: 2, remainder: 1),
    "even": divides(by: 2, remainder: 0),
    "divisibleby": { interpreter, value, arguments throws(TemplateError) in
      let number = try interpreter.bind(arguments, "the test 'divisibleby'", ["num"], required: 1)
      let rest = try interpreter.arithmetic(.modulo, value, number[0] ?? .none)
      return try interpreter.areEqual(rest, .int(0))
    },
    "filter": { interpreter, value, _ throws(TemplateError) in
      guard case .string(let name) = value else { return false }
      return JinjaFilter.named(name.text) != nil
    },
    "test": { interpreter, value, _ throws(TemplateError) in
      guard case .string(let name) = value else { return false }
      return JinjaTest.named(name.text) != nil
    },
    "sameas": sameAs,
    "in": comparison(.isIn),
    "==": comparison(.equal), "eq": comparison(.equal), "equalto": comparison(.equal),
    "!=": comparison(.notEqual), "ne": comparison(.notEqual),
    ">": comparison(.greater), "gt": comparison(.greater), "greaterthan": comparison(.greater),
    ">=": comparison(.greaterOrEqual), "ge": comparison(.greaterOrEqual),
    "<": comparison(.less), "lt": comparison(.less), "lessthan": comparison(.less),
    "<=": comparison(.lessOrEqual), "le": comparison(.lessOrEqual),
  ]

  // MARK: Kinds of tests

  private static func plain(
    _ holds: @escaping @Sendable (JinjaValue) -> Bool
  ) -> Function {
    { interpreter, value, arguments throws(TemplateError) in
      _ = try interpreter.bind(arguments, "this test", [])
      return holds(value)
    }
  }

  private static func text(
    _ holds: @escaping @Sendable (TemplateString) -> Bool
  ) -> Function {
    { interpreter, value, arguments throws(TemplateError) in
      _ = try interpreter.bind(arguments, "this test", [])
      return holds(try interpreter.text(of: value))
    }
  }

  private static func comparison(_ operation: JinjaComparison) -> Function {
    { interpreter, value, arguments throws(TemplateError) in
      let other = try interpreter.bind(arguments, "this test", ["other"], required: 1)
      return try interpreter.holds(operation, value, other[0] ?? .none)
    }
  }

  private static func divides(by divisor: Int, remainder: Int) -> Function {
    { interpreter, value, arguments throws(TemplateError) in
      _ = try interpreter.bind(arguments, "this test", [])
      let rest = try interpreter.arithmetic(.modulo, value, .int(divisor))
      return try interpreter.areEqual(rest, .int(remainder))
    }
  }

  private static func isSequence(_ value: JinjaValue) -> Bool {
    switch value {
    case .undefined, .string, .list, .tuple, .dict, .range: true
    default: false
    }
  }

  private static func isCallable(_ value: JinjaValue) -> Bool {
    switch value {
    case .undefined, .callable, .loop: true
    default: false
    }
  }

  /// Python's `is`, which only the singletons and objects of one render are sure of.
  private static let sameAs: Function = { interpreter, value, arguments throws(TemplateError) in
    let other = try interpreter.bind(arguments, "the test 'sameas'", ["other"], required: 1)[0]
    switch (value, other ?? .none) {
    case (.none, .none): return true
    case (.bool(let a), .bool(let b)): return a == b
    case (.namespace(let a), .namespace(let b)): return a === b
    case (.dict(let a), .dict(let b)): return a === b
    case (.none, _), (_, .none), (.bool, _), (_, .bool): return false
    default: throw interpreter.unsupported("the test 'sameas' between these types")
    }
  }
}

extension TemplateString {
  /// Python's `str.islower`: cased letters, none of them in upper or title case.
  var isLower: Bool {
    let cased = scalars.filter { $0.properties.isCased }
    return !cased.isEmpty && cased.allSatisfy(\.properties.isLowercase)
  }

  /// Python's `str.isupper`.
  var isUpper: Bool {
    let cased = scalars.filter { $0.properties.isCased }
    return !cased.isEmpty && cased.allSatisfy(\.properties.isUppercase)
  }
}

/// Calls of macros, functions and methods.
extension JinjaInterpreter {
  func call(_ function: JinjaValue, _ arguments: JinjaArguments) throws(TemplateError) -> JinjaValue
  {
    switch function {
    case .undefined(let undefined): throw undefinedError(undefined)
    case .callable(.macro(let macro)): return .string(try call(macro, arguments))
    case .callable(.function(let function)): return try function.apply(self, arguments)
    case .callable(.method(let bound)):
      return try bound.method(self, bound.receiver, arguments)
    case .callable(.loopMethod(let loop, let name)): return try call(loop, name, arguments)
    case .callable(.unsupported(let what)): throw unsupported(what)
    case .loop(let loop):
      guard let recurse = loop.recurse else {
        throw fail("a loop that is not 'recursive' is called")
      }
      guard arguments.positional.count == 1, arguments.keywords.isEmpty else {
        throw fail("a recursive loop takes one argument")
      }
      return .string(try recurse(arguments.positional[0], loop.depth + 1))
    default: throw fail("a value of type \(function.typeName) cannot be called")
    }
  }

  private func call(
    _ loop: JinjaLoop, _ name: String, _ arguments: JinjaArguments
  ) throws(TemplateError) -> JinjaValue {
    guard arguments.keywords.isEmpty else { throw fail("loop.\(name) takes no named arguments") }
    if name == "changed" {
      let value = JinjaValue.tuple(arguments.positional)
      var isSame = false
      if let last = loop.lastChanged { isSame = try areEqual(last, value) }
      loop.lastChanged = value
      return .bool(!isSame)
    }
    guard !arguments.positional.isEmpty else {
      throw fail("loop.cycle takes at least one argument")
    }
    return arguments.positional[loop.index % arguments.positional.count]
  }

  /// What a macro writes.
  private func call(
    _ macro: JinjaMacro, _ arguments: JinjaArguments
  ) throws(TemplateError) -> TemplateString {
    let statement = macro.statement
    let scope = JinjaScope(parent: macro.scope)
    let callLine = line
    try bind(arguments, of: statement, in: scope)
    let text = try capture { () throws(TemplateError) in
      _ = try run(statement.body, in: scope)
    }
    line = callLine
    return text
  }

  /// Fills a macro's parameters: by place, by name, by default, in that order.
  private func bind(
    _ arguments: JinjaArguments, of macro: JinjaMacroStatement, in scope: JinjaScope
  ) throws(TemplateError) {
    for value in arguments.positional { try checkNesting(of: value) }
    for keyword in arguments.keywords { try checkNesting(of: keyword.value) }
    let name = symbols.name(of: macro.name)
    var keywords = arguments.keywords
    let firstDefault = macro.parameters.count - macro.defaults.count
    for (place, parameter) in macro.parameters.enumerated() {
      if place < arguments.positional.count {
        scope.set(parameter, to: arguments.positional[place])
        continue
      }
      let parameterName = TemplateString(symbols.name(of: parameter))
      if let given = keywords.firstIndex(where: { $0.name == parameterName }) {
        scope.set(parameter, to: keywords.remove(at: given).value)
      } else if place >= firstDefault {
        let value = try evaluate(macro.defaults[place - firstDefault], in: scope)
        scope.set(parameter, to: value)
      } else {
        scope.set(parameter, to: .undefined("the argument '\(parameterName.text)' of '\(name)'"))
      }
    }
    if macro.usesCaller, let symbol = symbols.symbol("caller") {
      let caller = keywords.firstIndex { $0.name == TemplateString("caller") }
      let value = caller.map { keywords.remove(at: $0).value }
      scope.set(symbol, to: value ?? .undefined("the caller of '\(name)'"))
    }
    if macro.usesKwargs, let symbol = symbols.symbol("kwargs") {
      let pairs = keywords.map { (key: JinjaValue.string($0.name), value: $0.value) }
      scope.set(symbol, to: JinjaDict(pairs).map(JinjaValue.dict) ?? .none)
    } else if let extra = keywords.first {
      let shown = extra.name.isAllTemplate ? " '\(extra.name.text)'" : ""
      throw fail("the macro '\(name)' takes no argument\(shown)")
    }
    let extra = Array(arguments.positional.dropFirst(macro.parameters.count))
    if macro.usesVarargs, let symbol = symbols.symbol("varargs") {
      scope.set(symbol, to: .tuple(extra))
    } else if !extra.isEmpty {
      throw fail("the macro '\(name)' takes at most \(macro.parameters.count) arguments")
    }
  }
}

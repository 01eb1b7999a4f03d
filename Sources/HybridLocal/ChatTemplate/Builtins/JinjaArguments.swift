/// Arguments of a call, evaluated.
struct JinjaArguments {
  var positional: [JinjaValue] = []
  var keywords: [(name: TemplateString, value: JinjaValue)] = []
}

extension JinjaInterpreter {
  /// Puts arguments in the order of a builtin's parameters; nil where one is not given.
  ///
  /// Fails where there are too many, an unknown or doubled name, or fewer than `required`.
  func bind(
    _ arguments: JinjaArguments, _ what: String, _ parameters: [String], required: Int = 0
  ) throws(TemplateError) -> [JinjaValue?] {
    guard arguments.positional.count <= parameters.count else {
      throw fail("\(what) takes at most \(parameters.count) arguments")
    }
    var values = arguments.positional.map(Optional.some)
    values += repeatElement(nil, count: parameters.count - values.count)
    for keyword in arguments.keywords {
      guard let place = parameters.firstIndex(of: keyword.name.text), values[place] == nil else {
        throw fail("\(what) takes no such named argument, or takes it only once")
      }
      values[place] = keyword.value
    }
    for place in 0..<required where values[place] == nil {
      throw fail("\(what) needs the argument '\(parameters[place])'")
    }
    return values
  }

  /// A whole number that a builtin was given.
  func integer(_ value: JinjaValue, _ what: String) throws(TemplateError) -> Int {
    guard let number = value.integer else {
      try requireDefined(value)
      throw fail("\(what) takes a whole number, not \(value.typeName)")
    }
    return number
  }

  /// A string that a builtin was given.
  func string(_ value: JinjaValue, _ what: String) throws(TemplateError) -> TemplateString {
    guard case .string(let text) = value else {
      throw fail("\(what) takes a string, not \(value.typeName)")
    }
    return text
  }
}

/// Filters that apply another filter or a test to each item.
enum SelectionFilters {
  static let map: JinjaFilter.Function = { interpreter, value, arguments throws(TemplateError) in
    // As in Jinja, what is empty or undefined maps to nothing, whatever the arguments.
    guard value.isTrue else { return .generator(JinjaGenerator([])) }
    let items = try interpreter.items(of: value)
    var mapped: [JinjaValue] = []
    if arguments.positional.isEmpty {
      let given = try interpreter.bind(
        arguments, "the filter 'map'", ["attribute", "default"])
      guard let attribute = given[0] else {
        throw interpreter.fail("the filter 'map' needs a filter or an attribute")
      }
      let path = try interpreter.path(attribute)
      for item in items {
        var result = item
        for step in path {
          result = try interpreter.value(at: [step], of: result)
          if result.isUndefined, let fallback = given[1], !fallback.isNone { result = fallback }
        }
        mapped.append(result)
      }
      return .generator(JinjaGenerator(mapped))
    }
    let name = try interpreter.string(arguments.positional[0], "the filter 'map'")
    guard let filter = JinjaFilter.named(name.text) else {
      throw interpreter.unsupported(named("the filter", name))
    }
    let rest = JinjaArguments(
      positional: Array(arguments.positional.dropFirst()), keywords: arguments.keywords)
    for item in items {
      try interpreter.spend(1)
      mapped.append(try filter.apply(interpreter, item, rest))
    }
    return .generator(JinjaGenerator(mapped))
  }

  static let select = selection("select", byAttribute: false, keeps: true)
  static let reject = selection("reject", byAttribute: false, keeps: false)
  static let selectattr = selection("selectattr", byAttribute: true, keeps: true)
  static let rejectattr = selection("rejectattr", byAttribute: true, keeps: false)

  private static func selection(
    _ filterName: String, byAttribute: Bool, keeps: Bool
  ) -> JinjaFilter.Function {
    { interpreter, value, arguments throws(TemplateError) in
      guard value.isTrue else { return .generator(JinjaGenerator([])) }
      var rest = arguments.positional[...]
      var path: [JinjaValue] = []
      if byAttribute {
        guard let attribute = rest.popFirst() else {
          throw interpreter.fail("the filter '\(filterName)' needs an attribute")
        }
        path = try interpreter.path(attribute)
      }
      var test: JinjaTest?
      if let name = rest.popFirst() {
        let name = try interpreter.string(name, "the filter '\(filterName)'")
        test = JinjaTest.named(name.text)
        if test == nil { throw interpreter.unsupported(named("the test", name)) }
      }
      let testArguments = JinjaArguments(
        positional: Array(rest), keywords: arguments.keywords)
      var kept: [JinjaValue] = []
      for item in try interpreter.items(of: value) {
        try interpreter.spend(1)
        let tested = try interpreter.value(at: path, of: item)
        let holds = try test?.apply(interpreter, tested, testArguments) ?? tested.isTrue
        if holds == keeps { kept.append(item) }
      }
      return .generator(JinjaGenerator(kept))
    }
  }

  /// A kind of thing with its name, where the template wrote that.
  private static func named(_ kind: String, _ name: TemplateString) -> String {
    name.isAllTemplate ? "\(kind) '\(name.text)'" : "\(kind) that a variable names"
  }
}

/// A function that every template can call by name.
struct JinjaFunction: Sendable {
  typealias Function =
    @Sendable (JinjaInterpreter, JinjaArguments) throws(TemplateError) -> JinjaValue

  let apply: Function

  /// What a name means in every template, nil for one that means nothing.
  static func global(_ name: String) -> JinjaValue? {
    if let function = table[name] { return .callable(.function(JinjaFunction(apply: function))) }
    return unsupported.contains(name) ? .callable(.unsupported("the function '\(name)'")) : nil
  }

  private static let unsupported: Set<String> = ["lipsum", "cycler", "joiner"]

  private static let table: [String: Function] = [
    "range": range,
    "namespace": namespace,
    "dict": dict,
    "raise_exception": { interpreter, arguments throws(TemplateError) in
      let message = try interpreter.bind(arguments, "raise_exception", ["message"], required: 1)[0]
      // What holds any content stays out of the error.
      guard case .string(let text)? = message, text.isAllTemplate else {
        throw interpreter.fail(.raised(message: nil))
      }
      throw interpreter.fail(.raised(message: text.text))
    },
    "strftime_now": { interpreter, arguments throws(TemplateError) in
      let format = try interpreter.bind(arguments, "strftime_now", ["format"], required: 1)[0]
      let text = try interpreter.string(format ?? .none, "strftime_now")
      guard let formatted = interpreter.now.formatted(text.text) else {
        throw interpreter.unsupported("a directive of strftime_now")
      }
      try interpreter.reserve(bytes: formatted.utf8.count)
      return .string(formatted, text.mergedOrigin)
    },
  ]

  /// The sandbox's own limit on `range`.
  private static let longestRange = 100_000

  private static let range: Function = { interpreter, arguments throws(TemplateError) in
    guard arguments.keywords.isEmpty, (1...3).contains(arguments.positional.count) else {
      throw interpreter.fail("range takes one to three numbers")
    }
    var numbers: [Int] = []
    for value in arguments.positional { numbers.append(try interpreter.integer(value, "range")) }
    let start = numbers.count > 1 ? numbers[0] : 0
    let stop = numbers.count > 1 ? numbers[1] : numbers[0]
    let step = numbers.count > 2 ? numbers[2] : 1
    guard step != 0 else { throw interpreter.fail("the step of range is zero") }
    let (distance, overflow) = stop.subtractingReportingOverflow(start)
    guard !overflow, step != Int.min, distance != Int.min else {
      throw interpreter.fail("a range is too long")
    }
    let isEmpty = (distance > 0) != (step > 0) || distance == 0
    let count = isEmpty ? 0 : (abs(distance) - 1) / abs(step) + 1
    guard count <= longestRange else { throw interpreter.fail("a range is too long") }
    return .range(JinjaRange(start: start, stop: stop, step: step, count: count))
  }

  private static let namespace: Function = { interpreter, arguments throws(TemplateError) in
    let namespace = JinjaNamespace()
    for entry in try entries(interpreter, arguments, "namespace") {
      guard case .string(let name) = entry.key else {
        throw interpreter.fail("names in a namespace must be strings")
      }
      namespace[name] = entry.value
    }
    interpreter.keep(namespace)
    return .namespace(namespace)
  }

  private static let dict: Function = { interpreter, arguments throws(TemplateError) in
    guard let dict = JinjaDict(try entries(interpreter, arguments, "dict")) else {
      throw interpreter.fail("a key of a type that cannot be one")
    }
    return .dict(dict)
  }

  /// A mapping, or pairs, and then the named arguments.
  private static func entries(
    _ interpreter: JinjaInterpreter, _ arguments: JinjaArguments, _ what: String
  ) throws(TemplateError) -> [(key: JinjaValue, value: JinjaValue)] {
    guard arguments.positional.count <= 1 else {
      throw interpreter.fail("\(what) takes one mapping at most")
    }
    var entries: [(key: JinjaValue, value: JinjaValue)] = []
    if let source = arguments.positional.first {
      if case .dict(let dict) = source {
        entries = Array(dict.entries)
      } else {
        for pair in try interpreter.items(of: source) {
          let parts = try interpreter.items(of: pair)
          guard parts.count == 2 else { throw interpreter.fail("\(what) takes pairs") }
          entries.append((parts[0], parts[1]))
        }
      }
    }
    for keyword in arguments.keywords { entries.append((.string(keyword.name), keyword.value)) }
    try interpreter.reserve(elements: entries.count)
    return entries
  }
}

/// Methods of strings.
enum StringMethods {
  static let table: [String: JinjaMethod] = [
    "strip": strip(.both), "lstrip": strip(.leading), "rstrip": strip(.trailing),
    "split": split("split", fromEnd: false), "rsplit": split("rsplit", fromEnd: true),
    "splitlines": splitlines,
    "startswith": affix("startswith") { $0.matches($1, at: 0) },
    "endswith": affix("endswith") { $0.hasSuffix($1) },
    "removeprefix": removing("removeprefix") { text, part in
      text.hasPrefix(part) ? text[part.count..<text.count] : text
    },
    "removesuffix": removing("removesuffix") { text, part in
      text.hasSuffix(part) ? text[0..<text.count - part.count] : text
    },
    "replace": replace,
    "upper": mapping { $0.uppercased }, "lower": mapping { $0.lowercased },
    "capitalize": mapping { $0.capitalized }, "title": mapping { $0.titled },
    "join": join,
    "format": { interpreter, receiver, arguments throws(TemplateError) in
      .string(try interpreter.braceFormat(try plain(interpreter, receiver, "format"), arguments))
    },
    "find": find("find", fromEnd: false, failing: false),
    "rfind": find("rfind", fromEnd: true, failing: false),
    "index": find("index", fromEnd: false, failing: true),
    "rindex": find("rindex", fromEnd: true, failing: true),
    "count": { interpreter, receiver, arguments throws(TemplateError) in
      let part = try interpreter.bind(arguments, "the method 'count'", ["sub"], required: 1)[0]
      let text = try text(interpreter, receiver)
      let wanted = try interpreter.string(part ?? .none, "the method 'count'")
      try interpreter.search(text, for: wanted)
      return .int(text.occurrences(of: wanted))
    },
    "partition": partition(fromEnd: false), "rpartition": partition(fromEnd: true),
    "center": padding("center", .center), "ljust": padding("ljust", .left),
    "rjust": padding("rjust", .right), "zfill": zfill,
    "isdigit": all { [.digit, .decimal].contains($0.properties.numericType) },
    "isdecimal": all { $0.properties.numericType == .decimal },
    "isnumeric": all(\.isPythonNumeric),
    "isalpha": all(\.isPythonLetter),
    "isalnum": all { $0.isPythonLetter || $0.isPythonNumeric },
    "isspace": all(\.isPythonSpace),
    "islower": { interpreter, receiver, arguments throws(TemplateError) in
      let text = try text(interpreter, receiver)
      try interpreter.scan(bytes: text.count)
      return .bool(text.isLower)
    },
    "isupper": { interpreter, receiver, arguments throws(TemplateError) in
      let text = try text(interpreter, receiver)
      try interpreter.scan(bytes: text.count)
      return .bool(text.isUpper)
    },
  ]

  /// The receiver's text, its reading accounted for.
  private static func text(
    _ interpreter: JinjaInterpreter, _ receiver: JinjaValue
  ) throws(TemplateError) -> TemplateString {
    guard case .string(let text) = receiver else { return TemplateString() }
    try interpreter.reserve(bytes: text.count)
    return text
  }

  /// As `text`; refuses a safe string, whose method would escape what it is given.
  private static func plain(
    _ interpreter: JinjaInterpreter, _ receiver: JinjaValue, _ name: String
  ) throws(TemplateError) -> TemplateString {
    let text = try text(interpreter, receiver)
    if text.isMarkup { throw interpreter.unsupported("the method '\(name)' of a safe string") }
    return text
  }

  private static func mapping(
    _ transform: @escaping @Sendable (TemplateString) -> TemplateString
  ) -> JinjaMethod {
    { interpreter, receiver, arguments throws(TemplateError) in
      _ = try interpreter.bind(arguments, "this method", [])
      let text = try text(interpreter, receiver)
      try interpreter.scan(bytes: text.count)
      return .string(transform(text))
    }
  }

  private static func all(
    _ holds: @escaping @Sendable (Unicode.Scalar) -> Bool
  ) -> JinjaMethod {
    { interpreter, receiver, arguments throws(TemplateError) in
      _ = try interpreter.bind(arguments, "this method", [])
      let text = try text(interpreter, receiver)
      try interpreter.scan(bytes: text.count)
      return .bool(!text.isEmpty && text.text.unicodeScalars.allSatisfy(holds))
    }
  }

  private static func strip(_ ends: TemplateString.Ends) -> JinjaMethod {
    { interpreter, receiver, arguments throws(TemplateError) in
      let characters = try interpreter.bind(arguments, "the method 'strip'", ["chars"])[0]
      let text = try text(interpreter, receiver)
      return .string(try interpreter.stripped(text, ends, characters, "the method 'strip'"))
    }
  }

  private static func split(_ name: String, fromEnd: Bool) -> JinjaMethod {
    { interpreter, receiver, arguments throws(TemplateError) in
      let what = "the method '\(name)'"
      let given = try interpreter.bind(arguments, what, ["sep", "maxsplit"])
      let text = try text(interpreter, receiver)
      let limit = try interpreter.integer(given[1] ?? .int(-1), what)
      let parts: [TemplateString]
      if let separator = given[0], !separator.isNone {
        let separator = try interpreter.string(separator, what)
        guard !separator.isEmpty else { throw interpreter.fail("\(what) needs a separator") }
        try interpreter.search(text, for: separator)
        parts =
          fromEnd
          ? text.splitFromEnd(separator: separator, limit: limit)
          : text.split(separator: separator, limit: limit)
      } else {
        guard !fromEnd || limit < 0 else {
          throw interpreter.unsupported("the method 'rsplit' at white space with a limit")
        }
        try interpreter.scan(bytes: text.count)
        parts = text.splitAtSpace(limit: limit)
      }
      try interpreter.reserve(elements: parts.count)
      return .list(parts.map(JinjaValue.string))
    }
  }

  private static let splitlines: JinjaMethod = {
    interpreter, receiver, arguments throws(TemplateError) in
    let given = try interpreter.bind(arguments, "the method 'splitlines'", ["keepends"])
    let text = try text(interpreter, receiver)
    try interpreter.scan(bytes: text.count)
    let lines = text.splitLines(keepEnds: given[0]?.isTrue ?? false)
    try interpreter.reserve(elements: lines.count)
    return .list(lines.map(JinjaValue.string))
  }

  private static func partition(fromEnd: Bool) -> JinjaMethod {
    { interpreter, receiver, arguments throws(TemplateError) in
      let what = "the method 'partition'"
      let given = try interpreter.bind(arguments, what, ["sep"], required: 1)
      let text = try text(interpreter, receiver)
      let separator = try interpreter.string(given[0] ?? .none, what)
      guard !separator.isEmpty else { throw interpreter.fail("\(what) needs a separator") }
      try interpreter.search(text, for: separator)
      let found =
        fromEnd
        ? text.lastIndex(of: separator, upTo: text.count) : text.firstIndex(of: separator)
      let empty = JinjaValue.string("")
      guard let found else {
        return .tuple(fromEnd ? [empty, empty, .string(text)] : [.string(text), empty, empty])
      }
      let end = found + separator.count
      return .tuple([
        .string(text[0..<found]), .string(text[found..<end]), .string(text[end..<text.count]),
      ])
    }
  }

  /// `startswith` and `endswith`, which take a string or a tuple of them.
  private static func affix(
    _ name: String, _ matches: @escaping @Sendable (TemplateString, TemplateString) -> Bool
  ) -> JinjaMethod {
    { interpreter, receiver, arguments throws(TemplateError) in
      let what = "the method '\(name)'"
      guard arguments.keywords.isEmpty, arguments.positional.count == 1 else {
        throw arguments.positional.count > 1
          ? interpreter.unsupported("\(what) with a start")
          : interpreter.fail("\(what) takes one argument")
      }
      let text = try text(interpreter, receiver)
      if case .tuple(let choices) = arguments.positional[0] {
        for choice in choices where matches(text, try interpreter.string(choice, what)) {
          return .bool(true)
        }
        return .bool(false)
      }
      return .bool(matches(text, try interpreter.string(arguments.positional[0], what)))
    }
  }

  private static func removing(
    _ name: String, _ remove: @escaping @Sendable (TemplateString, TemplateString) -> TemplateString
  ) -> JinjaMethod {
    { interpreter, receiver, arguments throws(TemplateError) in
      let what = "the method '\(name)'"
      let part = try interpreter.bind(arguments, what, [name], required: 1)[0]
      return .string(
        remove(try text(interpreter, receiver), try interpreter.string(part ?? .none, what)))
    }
  }

  private static let replace: JinjaMethod = {
    interpreter, receiver, arguments throws(TemplateError) in
    let what = "the method 'replace'"
    let given = try interpreter.bind(arguments, what, ["old", "new", "count"], required: 2)
    let text = try plain(interpreter, receiver, "replace")
    return .string(
      try interpreter.replaced(
        text, try interpreter.string(given[0] ?? .none, what),
        try interpreter.string(given[1] ?? .none, what),
        limit: try interpreter.integer(given[2] ?? .int(-1), what)))
  }

  private static let join: JinjaMethod = {
    interpreter, receiver, arguments throws(TemplateError) in
    let what = "the method 'join'"
    let given = try interpreter.bind(arguments, what, ["iterable"], required: 1)
    let separator = try plain(interpreter, receiver, "join")
    let items = try interpreter.items(of: given[0] ?? .none)
    for item in items { _ = try interpreter.string(item, what) }
    return .string(try interpreter.joined(items, separator, markup: false))
  }

  private static func find(_ name: String, fromEnd: Bool, failing: Bool) -> JinjaMethod {
    { interpreter, receiver, arguments throws(TemplateError) in
      let what = "the method '\(name)'"
      guard arguments.positional.count == 1 else {
        throw interpreter.unsupported("\(what) with a start")
      }
      let text = try text(interpreter, receiver)
      let part = try interpreter.string(arguments.positional[0], what)
      try interpreter.search(text, for: part)
      let found =
        fromEnd ? text.lastIndex(of: part, upTo: text.count) : text.firstIndex(of: part)
      guard let found else {
        guard !failing else { throw interpreter.fail("\(what) does not find its argument") }
        return .int(-1)
      }
      return .int(text[0..<found].scalarCount)
    }
  }

  // MARK: Padding

  enum Alignment: Sendable { case left, right, center }

  private static func padding(_ name: String, _ alignment: Alignment) -> JinjaMethod {
    { interpreter, receiver, arguments throws(TemplateError) in
      let what = "the method '\(name)'"
      let given = try interpreter.bind(arguments, what, ["width", "fillchar"], required: 1)
      let fill = try interpreter.string(given[1] ?? .string(" "), what)
      guard fill.scalarCount == 1 else {
        throw interpreter.fail("\(what) fills with one character")
      }
      return try pad(
        interpreter, try text(interpreter, receiver),
        try interpreter.integer(given[0] ?? .none, what), fill, alignment)
    }
  }

  /// Fills text up to a width in code points.
  static func pad(
    _ interpreter: JinjaInterpreter, _ text: TemplateString, _ width: Int, _ fill: TemplateString,
    _ alignment: Alignment
  ) throws(TemplateError) -> JinjaValue {
    let length = text.scalarCount
    guard width > length else { return .string(text) }
    try interpreter.reserve(bytes: min(width, Int.max / 8) * fill.count)
    let missing = width - length
    let before =
      switch alignment {
      case .left: 0
      case .right: missing
      // Python puts the odd one on the left where the width is odd.
      case .center: missing / 2 + (missing & width & 1)
      }
    return .string(fill.repeated(before) + text + fill.repeated(missing - before))
  }

  private static let zfill: JinjaMethod = {
    interpreter, receiver, arguments throws(TemplateError) in
    let width = try interpreter.bind(arguments, "the method 'zfill'", ["width"], required: 1)[0]
    let text = try text(interpreter, receiver)
    let sign = text.bytes.first.map { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") } ?? false
    let split = sign ? 1 : 0
    let padded = try pad(
      interpreter, text[split..<text.count],
      try interpreter.integer(width ?? .none, "the method 'zfill'") - split, TemplateString("0"),
      .right)
    guard case .string(let digits) = padded else { return padded }
    return .string(text[0..<split] + digits)
  }
}

extension Unicode.Scalar {
  /// Python's `str.isalpha` of one code point: the letter categories.
  var isPythonLetter: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    default: false
    }
  }
}

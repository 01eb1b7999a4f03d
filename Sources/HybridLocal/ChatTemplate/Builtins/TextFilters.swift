/// Filters that make text.
enum TextFilters {
  /// A filter without arguments that maps the text of its value.
  private static func mapping(
    _ name: String, _ transform: @escaping @Sendable (TemplateString) -> TemplateString
  ) -> JinjaFilter.Function {
    { interpreter, value, arguments throws(TemplateError) in
      _ = try interpreter.bind(arguments, "the filter '\(name)'", [])
      let text = try interpreter.text(of: value)
      try interpreter.scan(bytes: text.count)
      return .string(transform(text))
    }
  }

  static let upper = mapping("upper") { $0.uppercased }
  static let lower = mapping("lower") { $0.lowercased }
  static let capitalize = mapping("capitalize") { $0.capitalized }
  static let string = mapping("string") { $0 }
  static let escape = mapping("escape") { $0.escapedForHTML }
  static let forceEscape = mapping("forceescape") { text in
    var plain = text
    plain.isMarkup = false
    return plain.escapedForHTML
  }
  static let safe = mapping("safe") { text in
    var markup = text
    markup.isMarkup = true
    return markup
  }

  /// Words begin behind white space, "-" and opening brackets; the rest is in lower case.
  static let title = mapping("title") { text in
    var isFirst = true
    return text.mappingScalars { scalar, _ in
      defer { isFirst = scalar.isPythonSpace || "-({[<".unicodeScalars.contains(scalar) }
      return isFirst ? scalar.properties.uppercaseMapping : scalar.properties.lowercaseMapping
    }
  }

  static let wordcount: JinjaFilter.Function = { interpreter, value, _ throws(TemplateError) in
    let text = try interpreter.text(of: value)
    try interpreter.scan(bytes: text.count)
    var words = 0
    var inWord = false
    for scalar in text.scalars {
      let isWord = scalar == "_" || scalar.properties.isAlphabetic || scalar.isPythonNumeric
      if isWord, !inWord { words += 1 }
      inWord = isWord
    }
    return .int(words)
  }

  static let trim: JinjaFilter.Function = { interpreter, value, arguments throws(TemplateError) in
    let characters = try interpreter.bind(arguments, "the filter 'trim'", ["chars"])[0]
    let text = try interpreter.text(of: value)
    return .string(try interpreter.stripped(text, .both, characters, "the filter 'trim'"))
  }

  static let replace: JinjaFilter.Function = {
    interpreter, value, arguments throws(TemplateError) in
    let given = try interpreter.bind(
      arguments, "the filter 'replace'", ["old", "new", "count"], required: 2)
    var limit = -1
    if let count = given[2], !count.isNone {
      limit = try interpreter.integer(count, "the filter 'replace'")
    }
    let old = try interpreter.text(of: given[0] ?? .none)
    let new = try interpreter.text(of: given[1] ?? .none)
    return .string(
      try interpreter.replaced(try interpreter.text(of: value), old, new, limit: limit))
  }

  static let join: JinjaFilter.Function = { interpreter, value, arguments throws(TemplateError) in
    let given = try interpreter.bind(arguments, "the filter 'join'", ["d", "attribute"])
    var items = try interpreter.items(of: value)
    if let attribute = given[1], !attribute.isNone {
      let path = try interpreter.path(attribute)
      items = try items.map { (item) throws(TemplateError) in
        try interpreter.value(at: path, of: item)
      }
    }
    let separator = try interpreter.text(of: given[0] ?? .string(""))
    return .string(try interpreter.joined(items, separator, markup: false))
  }

  static let center: JinjaFilter.Function = {
    interpreter, value, arguments throws(TemplateError) in
    let width = try interpreter.bind(arguments, "the filter 'center'", ["width"])[0] ?? .int(80)
    return try StringMethods.pad(
      interpreter, try interpreter.text(of: value), try interpreter.integer(width, "'center'"),
      TemplateString(" "), .center)
  }

  static let format: JinjaFilter.Function = {
    interpreter, value, arguments throws(TemplateError) in
    let text = try interpreter.text(of: value)
    guard arguments.keywords.isEmpty else {
      throw interpreter.unsupported("the filter 'format' with named arguments")
    }
    return .string(try interpreter.percentFormat(text, .tuple(arguments.positional)))
  }

  static let indent: JinjaFilter.Function = {
    interpreter, value, arguments throws(TemplateError) in
    let given = try interpreter.bind(
      arguments, "the filter 'indent'", ["width", "first", "blank"])
    guard case .string(let text) = value else {
      throw interpreter.fail("the filter 'indent' takes a string, not \(value.typeName)")
    }
    let indention: TemplateString
    if case .string(let custom)? = given[0] {
      indention = custom
    } else {
      let width = try interpreter.integer(given[0] ?? .int(4), "the filter 'indent'")
      try interpreter.reserve(bytes: max(0, width))
      indention = TemplateString(" ").repeated(width)
    }
    let newline = TemplateString("\n")
    try interpreter.scan(bytes: text.count)
    let lines = (text + newline).splitLines()
    try interpreter.reserve(bytes: text.count + lines.count * indention.count)
    let indentsBlank = given[2]?.isTrue ?? false
    var result = given[1]?.isTrue ?? false ? indention : TemplateString()
    for (place, line) in lines.enumerated() {
      if place > 0 {
        result.append(newline)
        if indentsBlank || !line.isEmpty { result.append(indention) }
      }
      result.append(line)
    }
    return .string(result)
  }

  static let truncate: JinjaFilter.Function = {
    interpreter, value, arguments throws(TemplateError) in
    let name = "the filter 'truncate'"
    let given = try interpreter.bind(arguments, name, ["length", "killwords", "end", "leeway"])
    let text = try interpreter.string(value, name)
    let length = try interpreter.integer(given[0] ?? .int(255), name)
    let end = try interpreter.string(given[2] ?? .string("..."), name)
    let leeway = try interpreter.integer(given[3] ?? .int(5), name)
    guard length >= end.scalarCount, leeway >= 0 else {
      throw interpreter.fail("\(name) cannot cut to that length")
    }
    try interpreter.scan(bytes: text.count)
    if text.scalarCount <= length + leeway { return value }
    var kept = text.sliced(PythonSlice(start: nil, stop: length - end.scalarCount, step: nil))
    if !(given[1]?.isTrue ?? false) {
      kept = kept.splitFromEnd(separator: TemplateString(" "), limit: 1)[0]
    }
    return .string(kept + end)
  }

  /// The signature that the tooling gives it, which is not Jinja's own.
  static let tojson: JinjaFilter.Function = {
    interpreter, value, arguments throws(TemplateError) in
    let given = try interpreter.bind(
      arguments, "the filter 'tojson'", ["ensure_ascii", "indent", "separators", "sort_keys"])
    return .string(
      try JSONText.text(
        of: value, escapesNonASCII: given[0]?.isTrue ?? false, indent: given[1],
        separators: given[2], sortsKeys: given[3]?.isTrue ?? false, in: interpreter))
  }
}

extension JinjaValue {
  var isNone: Bool {
    if case .none = self { true } else { false }
  }
}

extension Unicode.Scalar {
  /// Python's `str.isnumeric` of one code point.
  var isPythonNumeric: Bool { properties.numericType != nil }
}

/// What filters and methods share.
extension JinjaInterpreter {
  func stripped(
    _ text: TemplateString, _ ends: TemplateString.Ends, _ characters: JinjaValue?, _ what: String
  ) throws(TemplateError) -> TemplateString {
    // Only what is cut off is looked at, but that may be all of it.
    try reserve(bytes: text.count)
    guard let characters, !characters.isNone else { return text.stripped(ends) }
    let set = try string(characters, what)
    try scan(bytes: set.count)
    return text.stripped(ends, characters: set)
  }

  func replaced(
    _ text: TemplateString, _ old: TemplateString, _ new: TemplateString, limit: Int
  ) throws(TemplateError) -> TemplateString {
    try reserve(bytes: text.count)
    try search(text, for: old)
    if new.count > old.count {
      let occurrences = limit < 0 ? text.occurrences(of: old) : min(limit, text.count + 1)
      let (growth, overflow) = occurrences.multipliedReportingOverflow(by: new.count - old.count)
      try reserve(bytes: overflow ? Int.max : text.count + growth)
    }
    return text.replacing(old, with: new, limit: limit)
  }

  /// The texts of values with a separator between them.
  func joined(
    _ items: [JinjaValue], _ separator: TemplateString, markup: Bool
  ) throws(TemplateError) -> TemplateString {
    var parts: [TemplateString] = []
    var size = 0
    for item in items {
      let part = try text(of: item)
      size += part.count + separator.count
      try checkSize(size)
      try spend((part.count + separator.count) >> 6)
      parts.append(part)
    }
    var result = separator.joining(parts)
    result.isMarkup = markup
    return result
  }
}

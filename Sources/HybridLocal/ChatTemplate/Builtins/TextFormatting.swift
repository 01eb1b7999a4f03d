/// Python's two ways to fill values into a text.
extension JinjaInterpreter {
  /// `"%s and %d" % values`
  func percentFormat(
    _ format: TemplateString, _ values: JinjaValue
  ) throws(TemplateError) -> TemplateString {
    if format.isMarkup { throw unsupported("'%' on a safe string") }
    var remaining: ArraySlice<JinjaValue> = [values]
    if case .tuple(let items) = values { remaining = items.array[...] }
    try reserve(bytes: format.count)
    var result = TemplateString()
    var offset = 0
    while let mark = format.firstIndex(of: TemplateString("%"), from: offset) {
      result.append(format, range: offset..<mark)
      guard mark + 1 < format.count else { throw fail("a format ends in '%'") }
      offset = mark + 2
      let kind = Unicode.Scalar(format.bytes[mark + 1])
      if kind == "%" {
        result.append(format, range: mark..<mark + 1)
        continue
      }
      guard "sdir".unicodeScalars.contains(kind) else {
        throw unsupported("the format '%\(kind.isASCII ? String(kind) : "…")'")
      }
      guard let value = remaining.popFirst() else { throw fail("too few values for a format") }
      let text = try percentText(of: value, kind: kind)
      try checkSize(result.count + text.count)
      try spend(text.count >> 6)
      result.append(text)
    }
    result.append(format, range: offset..<format.count)
    if !remaining.isEmpty {
      // A mapping may be left over, as in Python.
      guard case .dict = values else { throw fail("too many values for a format") }
    }
    return result
  }

  private func percentText(
    of value: JinjaValue, kind: Unicode.Scalar
  ) throws(TemplateError) -> TemplateString {
    switch kind {
    case "s": return try text(of: value)
    case "r":
      return try representation(of: value)
    default:
      if case .float(let number) = value, let whole = Int(exactly: number.rounded(.towardZero)) {
        return TemplateString(String(whole), origin: .content)
      }
      guard let whole = value.integer else {
        try requireDefined(value)
        throw fail("the format '%d' takes a number, not \(value.typeName)")
      }
      return TemplateString(String(whole), origin: value.isContentNumber ? .content : .template)
    }
  }

  /// `"{} and {name}".format(…)`, without format specifications.
  func braceFormat(
    _ format: TemplateString, _ arguments: JinjaArguments
  ) throws(TemplateError) -> TemplateString {
    try reserve(bytes: format.count)
    var result = TemplateString()
    var automatic = 0
    var offset = 0
    while offset < format.count {
      let byte = format.bytes[offset]
      let doubled = offset + 1 < format.count && format.bytes[offset + 1] == byte
      switch byte {
      case UInt8(ascii: "{") where doubled, UInt8(ascii: "}") where doubled:
        result.append(format, range: offset..<offset + 1)
        offset += 2
      case UInt8(ascii: "{"):
        guard let end = format.firstIndex(of: TemplateString("}"), from: offset) else {
          throw fail("a brace of a format is not closed")
        }
        let field = format[offset + 1..<end]
        let value = try fieldValue(field, arguments, &automatic)
        let text = try text(of: value)
        try checkSize(result.count + text.count)
        try spend(text.count >> 6)
        result.append(text)
        offset = end + 1
      case UInt8(ascii: "}"): throw fail("a brace of a format is not opened")
      default:
        let next =
          format.bytes[offset...].firstIndex {
            $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}")
          } ?? format.count
        result.append(format, range: offset..<next)
        offset = next
      }
    }
    return result
  }

  private func fieldValue(
    _ field: TemplateString, _ arguments: JinjaArguments, _ automatic: inout Int
  ) throws(TemplateError) -> JinjaValue {
    let special = field.bytes.contains { ":!.[{".utf8.contains($0) }
    if special { throw unsupported("a field of 'format' with more than a name or number") }
    var place = PythonNumber.integer(field)
    if field.isEmpty {
      place = automatic
      automatic += 1
    }
    if let place {
      guard arguments.positional.indices.contains(place) else {
        throw fail("too few values for 'format'")
      }
      return arguments.positional[place]
    }
    guard let keyword = arguments.keywords.first(where: { $0.name == field }) else {
      throw fail("a value that 'format' asks for is not given")
    }
    return keyword.value
  }
}

/// Python's `str()` and `repr()`.
extension JinjaInterpreter {
  /// `str()` of a value.
  func text(of value: JinjaValue) throws(TemplateError) -> TemplateString {
    switch value {
    case .string(let text): return text
    case .undefined: return TemplateString()
    case .int(let value, let origin): return TemplateString(String(value), origin: origin)
    case .loop(let loop):
      return TemplateString("<LoopContext \(loop.index + 1)/\(try loop.fullLength())>")
    default: return try representation(of: value)
    }
  }

  /// `repr()` of a value.
  ///
  /// What stands around the parts of a collection counts as content: no template writes special
  /// tokens that way.
  func representation(of value: JinjaValue) throws(TemplateError) -> TemplateString {
    var text = TemplateString()
    try represent(value, into: &text)
    return text
  }

  private func represent(
    _ value: JinjaValue, into text: inout TemplateString
  ) throws(TemplateError) {
    try spend(1)
    try checkSize(text.count)
    switch value {
    case .undefined: text.append("Undefined", origin: .content)
    case .none: text.append("None", origin: .content)
    case .bool(let value): text.append(value ? "True" : "False", origin: .content)
    case .int(let value, let origin): text.append(String(value), origin: origin)
    case .float(let value): text.append(PythonNumber.text(of: value), origin: .content)
    case .string(let value):
      try scan(bytes: value.count)
      text.append(value.pythonRepresentation)
    case .list(let items): try represent(items, "[", "]", into: &text)
    case .tuple(let items): try represent(items, "(", items.count == 1 ? ",)" : ")", into: &text)
    case .view(let name, let items): try represent(items, "\(name)([", "])", into: &text)
    case .dict(let dict):
      text.append("{", origin: .content)
      for (place, entry) in dict.entries.enumerated() {
        if place > 0 { text.append(", ", origin: .content) }
        try represent(entry.key, into: &text)
        text.append(": ", origin: .content)
        try represent(entry.value, into: &text)
      }
      text.append("}", origin: .content)
    case .range(let range):
      let step = range.step == 1 ? "" : ", \(range.step)"
      text.append("range(\(range.start), \(range.stop)\(step))", origin: .content)
    // Python would write where in memory it lies.
    case .generator, .namespace, .loop, .callable:
      throw unsupported("the text of a value of type \(value.typeName)")
    }
  }

  private func represent(
    _ items: JinjaItems, _ open: String, _ close: String, into text: inout TemplateString
  ) throws(TemplateError) {
    text.append(open, origin: .content)
    for (place, item) in items.enumerated() {
      if place > 0 { text.append(", ", origin: .content) }
      try represent(item, into: &text)
    }
    text.append(close, origin: .content)
  }
}

extension TemplateString {
  /// Python's `repr` of a string: in single quotes unless it holds those and no double ones.
  var pythonRepresentation: TemplateString {
    let hasSingle = bytes.contains(UInt8(ascii: "'"))
    let hasDouble = bytes.contains(UInt8(ascii: "\""))
    let quote: Unicode.Scalar = hasSingle && !hasDouble ? "\"" : "'"
    let escaped = mappingScalars { scalar, _ in
      switch scalar {
      case quote, "\\": "\\\(scalar)"
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      case " "..."~": nil
      default: scalar.isPythonPrintable ? nil : PythonNumber.escape(scalar)
      }
    }
    var result = TemplateString()
    result.append(String(quote), origin: mergedOrigin)
    result.append(escaped)
    result.append(String(quote), origin: mergedOrigin)
    return result
  }
}

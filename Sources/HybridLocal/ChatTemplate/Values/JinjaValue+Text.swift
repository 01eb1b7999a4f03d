/// Python's `str()` and `repr()`.
extension JinjaValue {
  /// `str()` of it; nil where the text would be a memory address.
  var asText: TemplateString? {
    switch self {
    case .string(let text): text
    case .undefined: TemplateString()
    case .int(let value, let origin): TemplateString(String(value), origin: origin)
    default: represented
    }
  }

  /// `repr()` of it; nil where the text would be a memory address.
  ///
  /// What stands around the parts of a collection counts as content: no template writes special
  /// tokens that way.
  var represented: TemplateString? {
    var text = TemplateString()
    return represent(into: &text, depth: 0) ? text : nil
  }

  /// Deeper collections than this have no text here: Python's own limit is about three times that.
  private static let deepestText = 300

  private func represent(into text: inout TemplateString, depth: Int) -> Bool {
    if depth > Self.deepestText { return false }
    switch self {
    case .undefined: text.append("Undefined", origin: .content)
    case .none: text.append("None", origin: .content)
    case .bool(let value): text.append(value ? "True" : "False", origin: .content)
    case .int(let value, let origin): text.append(String(value), origin: origin)
    case .float(let value): text.append(PythonNumber.text(of: value), origin: .content)
    case .string(let value): text.append(value.pythonRepresentation)
    case .list(let items):
      return Self.represent(items, "[", "]", into: &text, depth: depth)
    case .tuple(let items):
      return Self.represent(items, "(", items.count == 1 ? ",)" : ")", into: &text, depth: depth)
    case .view(let name, let items):
      return Self.represent(items, "\(name)([", "])", into: &text, depth: depth)
    case .dict(let dict):
      text.append("{", origin: .content)
      for (position, entry) in dict.entries.enumerated() {
        if position > 0 { text.append(", ", origin: .content) }
        guard entry.key.represent(into: &text, depth: depth + 1) else { return false }
        text.append(": ", origin: .content)
        guard entry.value.represent(into: &text, depth: depth + 1) else { return false }
      }
      text.append("}", origin: .content)
    case .range(let range):
      let stop = range.start + range.count * range.step
      let step = range.step == 1 ? "" : ", \(range.step)"
      text.append("range(\(range.start), \(stop)\(step))", origin: .content)
    case .generator, .namespace, .loop, .callable: return false
    }
    return true
  }

  private static func represent(
    _ items: [JinjaValue], _ open: String, _ close: String, into text: inout TemplateString,
    depth: Int
  ) -> Bool {
    text.append(open, origin: .content)
    for (position, item) in items.enumerated() {
      if position > 0 { text.append(", ", origin: .content) }
      guard item.represent(into: &text, depth: depth + 1) else { return false }
    }
    text.append(close, origin: .content)
    return true
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

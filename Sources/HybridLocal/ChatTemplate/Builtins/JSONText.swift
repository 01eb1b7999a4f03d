/// JSON as Python's `json.dumps` writes it.
///
/// Strings keep their origins. What stands around them counts as content: it follows the shape of
/// what a caller gave, and no template writes special tokens that way.
struct JSONText {
  private let interpreter: JinjaInterpreter
  private let escapesNonASCII: Bool
  private let sortsKeys: Bool
  /// What one level is indented by; nil writes all in one line.
  private let indent: TemplateString?
  private let itemSeparator: TemplateString
  private let keySeparator: TemplateString
  private var output = TemplateString()
  private var depth = 0

  /// Deeper values are refused; Python's own limit is about a thousand levels.
  private static let deepest = 300

  static func text(
    of value: JinjaValue, escapesNonASCII: Bool, indent: JinjaValue?, separators: JinjaValue?,
    sortsKeys: Bool, in interpreter: JinjaInterpreter
  ) throws(TemplateError) -> TemplateString {
    var writer = try JSONText(
      interpreter, escapesNonASCII: escapesNonASCII, indent: indent ?? .none,
      separators: separators ?? .none, sortsKeys: sortsKeys)
    try writer.write(value)
    return writer.output
  }

  private init(
    _ interpreter: JinjaInterpreter, escapesNonASCII: Bool, indent: JinjaValue,
    separators: JinjaValue, sortsKeys: Bool
  ) throws(TemplateError) {
    self.interpreter = interpreter
    self.escapesNonASCII = escapesNonASCII
    self.sortsKeys = sortsKeys
    switch indent {
    case .none: self.indent = nil
    case .string(let text): self.indent = text
    default:
      let width = try interpreter.integer(indent, "the argument 'indent' of 'tojson'")
      try interpreter.reserve(bytes: max(0, width))
      self.indent = TemplateString(" ", origin: .content).repeated(width)
    }
    if separators.isNone {
      itemSeparator = TemplateString(indent.isNone ? ", " : ",", origin: .content)
      keySeparator = TemplateString(": ", origin: .content)
    } else {
      let parts = try interpreter.items(of: separators)
      guard parts.count == 2, case .string(let item) = parts[0], case .string(let key) = parts[1]
      else { throw interpreter.fail("the argument 'separators' of 'tojson' takes two strings") }
      itemSeparator = item
      keySeparator = key
    }
  }

  private mutating func write(_ value: JinjaValue) throws(TemplateError) {
    try interpreter.spend(1)
    switch value {
    case .none: output.append("null", origin: .content)
    case .bool(let value): output.append(value ? "true" : "false", origin: .content)
    case .int(let value, let origin): output.append(String(value), origin: origin)
    case .float(let value): output.append(Self.number(value), origin: .content)
    case .string(let text): try write(text)
    case .list(let items), .tuple(let items):
      try write(items.array, open: "[", close: "]") { writer, item throws(TemplateError) in
        try writer.write(item)
      }
    case .dict(let dict):
      let entries = sortsKeys ? try sorted(Array(dict.entries)) : Array(dict.entries)
      try write(entries, open: "{", close: "}") { writer, entry throws(TemplateError) in
        try writer.write(try writer.name(of: entry.key))
        writer.output.append(writer.keySeparator)
        try writer.write(entry.value)
      }
    default: throw interpreter.fail("a value of type \(value.typeName) cannot be written as JSON")
    }
    try interpreter.checkSize(output.count)
  }

  private mutating func write<Item>(
    _ items: [Item], open: String, close: String,
    each body: (inout JSONText, Item) throws(TemplateError) -> Void
  ) throws(TemplateError) {
    output.append(open, origin: .content)
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw interpreter.fail(.budget(.nesting)) }
    for (place, item) in items.enumerated() {
      if place > 0 { output.append(itemSeparator) }
      try breakLine(level: depth)
      try body(&self, item)
    }
    if !items.isEmpty { try breakLine(level: depth - 1) }
    output.append(close, origin: .content)
  }

  private mutating func breakLine(level: Int) throws(TemplateError) {
    guard let indent else { return }
    try interpreter.checkSize(output.count + level * indent.count)
    try interpreter.spend((level * indent.count) >> 6)
    output.append("\n", origin: .content)
    for _ in 0..<level { output.append(indent) }
  }

  private func sorted(
    _ entries: [(key: JinjaValue, value: JinjaValue)]
  ) throws(TemplateError) -> [(key: JinjaValue, value: JinjaValue)] {
    let order = try interpreter.sortedOrder(of: entries.map(\.key))
    return order.map { entries[$0] }
  }

  private func name(of key: JinjaValue) throws(TemplateError) -> TemplateString {
    switch key {
    case .string(let text): text
    case .none: TemplateString("null", origin: .content)
    case .bool(let value): TemplateString(value ? "true" : "false", origin: .content)
    case .int(let value, let origin): TemplateString(String(value), origin: origin)
    case .float(let value): TemplateString(Self.number(value), origin: .content)
    default: throw interpreter.fail("a key of type \(key.typeName) cannot be written as JSON")
    }
  }

  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
    return PythonNumber.text(of: value)
  }

  private mutating func write(_ text: TemplateString) throws(TemplateError) {
    try interpreter.scan(bytes: text.count)
    let escapesNonASCII = escapesNonASCII
    output.append("\"", origin: .content)
    output.append(
      text.mappingScalars { scalar, _ in Self.escape(scalar, escapesNonASCII: escapesNonASCII) })
    output.append("\"", origin: .content)
  }

  private static func escape(_ scalar: Unicode.Scalar, escapesNonASCII: Bool) -> String? {
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case "\u{8}": "\\b"
    case "\u{C}": "\\f"
    case "\0"..<" ": "\\u" + PythonNumber.hex(scalar.value, width: 4)
    case " "..."~": nil
    default:
      escapesNonASCII
        ? String(scalar).utf16.map { "\\u" + PythonNumber.hex(UInt32($0), width: 4) }.joined()
        : nil
    }
  }
}

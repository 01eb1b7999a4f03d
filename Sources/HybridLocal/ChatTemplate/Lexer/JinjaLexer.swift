/// Template source ▶ tokens.
///
/// Settings are those that chat templates are written for: `trim_blocks` (a newline after a block
/// tag goes), `lstrip_blocks` (blanks before a block tag that begins its line go), no newline kept
/// at the very end.
struct JinjaLexer {
  let source: [UInt8]
  var position = 0
  var line = 1
  var tokens: [JinjaToken] = []
  /// Whether what was read last ended with a newline; a tag here begins its line.
  private var atLineStart = true
  /// Closing brackets that are due, innermost last.
  var openBrackets: [UInt8] = []

  /// Reads a whole template.
  static func tokens(of source: String) throws(TemplateError) -> [JinjaToken] {
    var lexer = JinjaLexer(source: normalised(source))
    try lexer.readTemplate()
    lexer.add(.end)
    return lexer.tokens
  }

  private init(source: [UInt8]) {
    self.source = source
  }

  /// Line ends as "\n", one of them cut at the very end.
  private static func normalised(_ source: String) -> [UInt8] {
    var bytes = Array(source.utf8)
    guard bytes.contains(UInt8(ascii: "\r")) else {
      if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
      return bytes
    }
    bytes.removeAll(keepingCapacity: true)
    var afterReturn = false
    for byte in source.utf8 {
      switch byte {
      case UInt8(ascii: "\r"):
        bytes.append(UInt8(ascii: "\n"))
        afterReturn = true
        continue
      case UInt8(ascii: "\n") where afterReturn: break
      default: bytes.append(byte)
      }
      afterReturn = false
    }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    return bytes
  }

  mutating func add(_ kind: JinjaToken.Kind) {
    tokens.append(JinjaToken(kind: kind, line: line))
  }

  func error(_ what: String) -> TemplateError {
    TemplateError(.syntax(what), line: line)
  }

  func byte(at index: Int) -> UInt8? {
    index < source.count ? source[index] : nil
  }

  /// Whether an ASCII text stands at an offset.
  func stands(_ text: String, at index: Int) -> Bool {
    guard index + text.utf8.count <= source.count else { return false }
    return text.utf8.elementsEqual(source[index..<index + text.utf8.count])
  }

  mutating func countLines(from start: Int, to end: Int) {
    for byte in source[start..<end] where byte == UInt8(ascii: "\n") { line += 1 }
  }

  /// The offset behind the white space that begins at `index`.
  func skippingSpace(from index: Int) -> Int {
    var end = index
    while end < source.count {
      if source[end] < 0x80 {
        // Most of what is asked about is no space: told without looking up a property.
        guard source[end] <= 0x20, Unicode.Scalar(source[end]).isPythonSpace else { return end }
        end += 1
      } else {
        let (scalar, next) = scalar(at: end)
        guard scalar.isPythonSpace else { return end }
        end = next
      }
    }
    return end
  }

  func scalar(at index: Int) -> (scalar: Unicode.Scalar, next: Int) {
    let end = min(source.count, index + TemplateString.width(of: source[index]))
    return (TemplateString(bytes: Array(source[index..<end])).scalar(at: 0).scalar, end)
  }

  // MARK: Text between tags

  private mutating func readTemplate() throws(TemplateError) {
    while position < source.count {
      guard let tag = nextTag(from: position) else {
        add(.data(TemplateString(bytes: Array(source[position...]))))
        countLines(from: position, to: source.count)
        position = source.count
        return
      }
      let sign = byte(at: tag + 2)
      let opener = source[tag + 1]
      addText(from: position, to: tag, sign: sign, isVariable: opener == UInt8(ascii: "{"))
      position = tag + 2
      if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { position += 1 }
      switch opener {
      case UInt8(ascii: "#"): try skipComment()
      case UInt8(ascii: "{"):
        add(.variableBegin)
        try readTag(isBlock: false)
      default:
        if let body = rawBody(from: position) {
          try readRaw(from: body)
        } else {
          add(.blockBegin)
          try readTag(isBlock: true)
        }
      }
    }
  }

  /// The offset of the next `{{`, `{%` or `{#`.
  private func nextTag(from start: Int) -> Int? {
    var index = start
    while let brace = source[index...].firstIndex(of: UInt8(ascii: "{")), brace + 1 < source.count {
      switch source[brace + 1] {
      case UInt8(ascii: "{"), UInt8(ascii: "%"), UInt8(ascii: "#"): return brace
      default: index = brace + 1
      }
    }
    return nil
  }

  /// Adds the text before a tag, its end cut as the tag's sign and `lstrip_blocks` ask for.
  private mutating func addText(from start: Int, to tag: Int, sign: UInt8?, isVariable: Bool) {
    var text = TemplateString(bytes: Array(source[start..<tag]))
    if sign == UInt8(ascii: "-") {
      text = text.stripped(.trailing)
    } else if sign != UInt8(ascii: "+"), !isVariable {
      let lineStart = text.bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      if lineStart > 0 || atLineStart,
        text[lineStart..<text.count].stripped(.leading).isEmpty
      {
        text = text[0..<lineStart]
      }
    }
    if !text.isEmpty { add(.data(text)) }
    countLines(from: start, to: tag)
  }

  /// Moves behind a closing mark, over the white space that it eats, and counts its lines.
  mutating func finishTag(from start: Int, to end: Int, sign: UInt8?, trimsNewline: Bool) {
    var after = end
    if sign == UInt8(ascii: "-") {
      after = skippingSpace(from: end)
    } else if sign != UInt8(ascii: "+"), trimsNewline, byte(at: end) == UInt8(ascii: "\n") {
      after = end + 1
    }
    countLines(from: start, to: after)
    atLineStart = after > 0 && source[after - 1] == UInt8(ascii: "\n")
    position = after
  }

  private mutating func skipComment() throws(TemplateError) {
    var index = position
    while index + 1 < source.count {
      if stands("#}", at: index) {
        let sign = index > position ? source[index - 1] : nil
        finishTag(from: position, to: index + 2, sign: sign, trimsNewline: true)
        return
      }
      index += 1
    }
    throw error("a comment is not closed")
  }

  // MARK: Raw blocks

  /// The offset behind `raw %}`, where a raw block begins here.
  private func rawBody(from start: Int) -> Int? {
    var index = skippingSpace(from: start)
    guard stands("raw", at: index) else { return nil }
    index = skippingSpace(from: index + 3)
    if stands("-%}", at: index) { return skippingSpace(from: index + 3) }
    return stands("%}", at: index) ? index + 2 : nil
  }

  private mutating func readRaw(from body: Int) throws(TemplateError) {
    countLines(from: position, to: body)
    atLineStart = source[body - 1] == UInt8(ascii: "\n")
    var index = body
    while index + 1 < source.count {
      guard stands("{%", at: index) else {
        index += 1
        continue
      }
      let sign = byte(at: index + 2)
      let isSigned = sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+")
      let name = skippingSpace(from: index + (isSigned ? 3 : 2))
      let end = skippingSpace(from: name + 9 <= source.count ? name + 6 : source.count)
      let endSign = byte(at: end)
      let isEndSigned = endSign == UInt8(ascii: "-") || endSign == UInt8(ascii: "+")
      if stands("endraw", at: name), stands("%}", at: isEndSigned ? end + 1 : end) {
        addText(from: body, to: index, sign: sign, isVariable: false)
        let after = (isEndSigned ? end + 1 : end) + 2
        finishTag(
          from: index, to: after, sign: isEndSigned ? endSign : nil, trimsNewline: true)
        return
      }
      index += 1
    }
    throw error("a raw block is not closed")
  }
}

/// What stands inside of `{{ … }}` and `{% … %}`.
extension JinjaLexer {
  /// Reads up to and including the closing mark.
  mutating func readTag(isBlock: Bool) throws(TemplateError) {
    openBrackets.removeAll()
    while position < source.count {
      // A closing mark counts only outside of brackets: `{{ {'a': {}} }}`.
      if openBrackets.isEmpty, readTagEnd(isBlock: isBlock) { return }
      let start = position
      let afterSpace = skippingSpace(from: position)
      if afterSpace > position {
        countLines(from: position, to: afterSpace)
        position = afterSpace
        continue
      }
      let byte = source[position]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): try readNumber()
      case UInt8(ascii: "'"), UInt8(ascii: "\""): try readString(quote: byte)
      default:
        if !readName() { try readSymbol() }
      }
      assert(position > start, "the lexer must move")
    }
    throw error("a tag is not closed")
  }

  private mutating func readTagEnd(isBlock: Bool) -> Bool {
    var index = position
    var sign: UInt8?
    if byte(at: index) == UInt8(ascii: "-") || (isBlock && byte(at: index) == UInt8(ascii: "+")) {
      sign = byte(at: index)
      index += 1
    }
    guard isBlock ? stands("%}", at: index) : stands("}}", at: index) else { return false }
    add(isBlock ? .blockEnd : .variableEnd)
    finishTag(from: position, to: index + 2, sign: sign, trimsNewline: isBlock)
    return true
  }

  private mutating func readName() -> Bool {
    var end = position
    while end < source.count {
      let byte = source[end]
      if byte < 0x80 {
        guard Self.isNameByte(byte) else { break }
        end += 1
      } else {
        let (scalar, next) = scalar(at: end)
        guard scalar.properties.isXIDContinue else { break }
        end = next
      }
    }
    guard end > position else { return false }
    add(.name(String(decoding: source[position..<end], as: UTF8.self)))
    position = end
    return true
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Whole numbers (decimal, 0x, 0o, 0b) and decimal fractions, underscores between digits allowed.
  private mutating func readNumber() throws(TemplateError) {
    if byte(at: position) == UInt8(ascii: "0"), let mark = byte(at: position + 1),
      let radix = [UInt8(ascii: "x"): 16, UInt8(ascii: "o"): 8, UInt8(ascii: "b"): 2][mark | 0x20]
    {
      let end = digitsEnd(from: position + 2, radix: radix)
      if end > position + 2 {
        try addInteger(from: position + 2, to: end, radix: radix)
        return
      }
    }
    let whole = digitsEnd(from: position, radix: 10)
    var end = whole
    // "a.0.1" is two index steps: behind a dot no fraction begins.
    let followsDot = position > 0 && source[position - 1] == UInt8(ascii: ".")
    if !followsDot {
      if byte(at: end) == UInt8(ascii: ".") {
        let fraction = digitsEnd(from: end + 1, radix: 10)
        if fraction > end + 1 { end = fraction }
      }
      if let mark = byte(at: end), mark | 0x20 == UInt8(ascii: "e") {
        var digits = end + 1
        if byte(at: digits) == UInt8(ascii: "+") || byte(at: digits) == UInt8(ascii: "-") {
          digits += 1
        }
        let exponent = digitsEnd(from: digits, radix: 10)
        if exponent > digits { end = exponent }
      }
    }
    if end == whole {
      try addInteger(from: position, to: whole, radix: 10)
      return
    }
    let text = String(
      decoding: source[position..<end].filter { $0 != UInt8(ascii: "_") }, as: UTF8.self)
    add(.float(Double(text) ?? 0))
    position = end
  }

  private func digitsEnd(from start: Int, radix: Int) -> Int {
    var index = start
    while let byte = byte(at: index) {
      let isDigit = Character(Unicode.Scalar(byte)).hexDigitValue.map { $0 < radix } ?? false
      let isSeparator = byte == UInt8(ascii: "_") && index > start
      guard isDigit || isSeparator else { break }
      index += 1
    }
    while index > start, source[index - 1] == UInt8(ascii: "_") { index -= 1 }
    return index
  }

  private mutating func addInteger(from start: Int, to end: Int, radix: Int) throws(TemplateError) {
    let digits = source[start..<end].filter { $0 != UInt8(ascii: "_") }
    guard let value = Int(String(decoding: digits, as: UTF8.self), radix: radix) else {
      throw TemplateError(.unsupported(construct: "a number beyond 64 bits"), line: line)
    }
    add(.integer(value))
    position = end
  }

  private mutating func readString(quote: UInt8) throws(TemplateError) {
    var end = position + 1
    while let byte = byte(at: end), byte != quote {
      end += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    guard end < source.count else { throw error("a string is not closed") }
    let text = try StringEscapes.decoded(source[position + 1..<end], line: line)
    add(.string(TemplateString(bytes: text)))
    countLines(from: position, to: end)
    position = end + 1
  }

  /// Two-character symbols first.
  private mutating func readSymbol() throws(TemplateError) {
    for length in [2, 1] where position + length <= source.count {
      let text = String(decoding: source[position..<position + length], as: UTF8.self)
      guard let symbol = JinjaToken.Symbol(rawValue: text) else { continue }
      try balance(symbol)
      add(.symbol(symbol))
      position += length
      return
    }
    throw error("a character that means nothing here")
  }

  private mutating func balance(_ symbol: JinjaToken.Symbol) throws(TemplateError) {
    switch symbol {
    case .leftBrace: openBrackets.append(UInt8(ascii: "}"))
    case .leftParenthesis: openBrackets.append(UInt8(ascii: ")"))
    case .leftBracket: openBrackets.append(UInt8(ascii: "]"))
    case .rightBrace, .rightParenthesis, .rightBracket:
      guard openBrackets.popLast() == source[position] else {
        throw error("unexpected '\(symbol.rawValue)'")
      }
    default: break
    }
  }
}

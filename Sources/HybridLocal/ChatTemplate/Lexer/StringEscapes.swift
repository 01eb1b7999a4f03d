/// The escapes of a string in a template: those of Python's own strings.
enum StringEscapes {
  /// The text of what stands between the quotes.
  static func decoded(_ raw: ArraySlice<UInt8>, line: Int) throws(TemplateError) -> [UInt8] {
    guard raw.contains(UInt8(ascii: "\\")) else { return Array(raw) }
    var text: [UInt8] = []
    var index = raw.startIndex
    while index < raw.endIndex {
      let byte = raw[index]
      index += 1
      guard byte == UInt8(ascii: "\\"), index < raw.endIndex else {
        text.append(byte)
        continue
      }
      let escape = raw[index]
      index += 1
      switch escape {
      case UInt8(ascii: "\n"): break
      case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): text.append(escape)
      case UInt8(ascii: "a"): text.append(0x07)
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "v"): text.append(0x0B)
      case UInt8(ascii: "0")...UInt8(ascii: "7"):
        var end = index
        while end < min(index + 2, raw.endIndex), (0x30...0x37).contains(raw[end]) { end += 1 }
        try append(raw[index - 1..<end], radix: 8, to: &text, line: line)
        index = end
      case UInt8(ascii: "x"), UInt8(ascii: "u"), UInt8(ascii: "U"):
        let width = escape == UInt8(ascii: "x") ? 2 : escape == UInt8(ascii: "u") ? 4 : 8
        guard index + width <= raw.endIndex else {
          throw TemplateError(.syntax("a string escape is cut off"), line: line)
        }
        try append(raw[index..<index + width], radix: 16, to: &text, line: line)
        index += width
      case UInt8(ascii: "N"):
        throw TemplateError(.unsupported(construct: "a string escape by name (\\N)"), line: line)
      default: text += [byte, escape]
      }
    }
    return text
  }

  private static func append(
    _ digits: ArraySlice<UInt8>, radix: Int, to text: inout [UInt8], line: Int
  ) throws(TemplateError) {
    let isNumber = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    guard isNumber, let value = UInt32(String(decoding: digits, as: UTF8.self), radix: radix) else {
      throw TemplateError(.syntax("a string escape has wrong digits"), line: line)
    }
    guard let scalar = Unicode.Scalar(value) else {
      throw TemplateError(.unsupported(construct: "a string escape for no code point"), line: line)
    }
    text += Array(String(scalar).utf8)
  }
}

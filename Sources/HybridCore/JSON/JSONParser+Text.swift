extension JSONParser {
  /// Reads a text from its opening quote past its closing one.
  mutating func readText() throws(JSONSyntaxError) -> String {
    let start = index
    index += 1
    var run = index
    var hasEscapes = false
    var isASCII = true
    var unescaped: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case .quote:
        defer { index += 1 }
        if !hasEscapes, isASCII { return String(decoding: bytes[run..<index], as: UTF8.self) }
        try check(run..<index)
        // Most texts have no escape: made from the input in one piece.
        if !hasEscapes { return String(decoding: bytes[run..<index], as: UTF8.self) }
        unescaped += bytes[run..<index]
        return String(decoding: unescaped, as: UTF8.self)
      case .backslash:
        try check(run..<index)
        unescaped += bytes[run..<index]
        hasEscapes = true
        try readEscape(into: &unescaped, textStart: start)
        run = index
      case 0..<0x20:
        throw error(.controlCharacter)
      default:
        if byte >= 0x80 { isASCII = false }
        index += 1
      }
    }
    throw unfinished(.text, begun: start)
  }

  /// Where malformed text is refused, finds its first byte. An escape cannot complete a character
  /// begun in raw bytes, so runs between escapes are checked each by itself.
  private func check(_ run: Range<Int>) throws(JSONSyntaxError) {
    guard settings.malformedText == .refused,
      String(validating: bytes[run], as: UTF8.self) == nil
    else { return }
    var offset = run.lowerBound
    var input = bytes[run].makeIterator()
    var decoder = Unicode.UTF8.ForwardParser()
    while case .valid(let scalar) = decoder.parseScalar(from: &input) { offset += scalar.count }
    throw error(.invalidUTF8, at: offset)
  }

  private mutating func readEscape(
    into text: inout [UInt8], textStart: Int
  ) throws(JSONSyntaxError) {
    let start = index
    index += 1
    guard index < bytes.count else { throw unfinished(.text, begun: textStart) }
    let byte = bytes[index]
    index += 1
    switch byte {
    case .quote, .backslash, UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(.lineFeed)
    case UInt8(ascii: "r"): text.append(.carriageReturn)
    case UInt8(ascii: "t"): text.append(.tab)
    case UInt8(ascii: "u"):
      let scalar = try readScalar(escapeStart: start, textStart: textStart)
      text += Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter
    default: throw error(.badEscape, at: start)
    }
  }

  /// Reads the digits after `\u`, and the second half where the first begins a surrogate pair.
  private mutating func readScalar(
    escapeStart: Int, textStart: Int
  ) throws(JSONSyntaxError) -> Unicode.Scalar {
    let first = try readHex(escapeStart: escapeStart, textStart: textStart)
    if let scalar = Unicode.Scalar(first) { return scalar }
    if Unicode.UTF16.isLeadSurrogate(UInt16(first)), index + 1 < bytes.count,
      bytes[index] == .backslash, bytes[index + 1] == UInt8(ascii: "u")
    {
      let secondStart = index
      index += 2
      let second = try readHex(escapeStart: secondStart, textStart: textStart)
      if Unicode.UTF16.isTrailSurrogate(UInt16(second)) {
        let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)
        return Unicode.Scalar(code) ?? "\u{FFFD}"
      }
      index = secondStart  // Stands for itself.
    }
    guard settings.malformedText == .replaced else {
      throw error(.loneSurrogate, at: escapeStart)
    }
    return "\u{FFFD}"
  }

  private mutating func readHex(
    escapeStart: Int, textStart: Int
  ) throws(JSONSyntaxError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard index < bytes.count else { throw unfinished(.text, begun: textStart) }
      guard let digit = bytes[index].hexValue else { throw error(.badEscape, at: escapeStart) }
      code = code << 4 | UInt32(digit)
      index += 1
    }
    return code
  }
}

extension UInt8 {
  fileprivate var hexValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

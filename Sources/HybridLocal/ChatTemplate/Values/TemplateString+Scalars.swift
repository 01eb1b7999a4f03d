/// Code points: Python's unit of length, index and slice.
extension TemplateString {
  /// Whether byte offsets are code point offsets.
  var isASCII: Bool {
    !bytes.contains { $0 >= 0x80 }
  }

  /// Length in code points.
  var scalarCount: Int {
    var count = 0
    for byte in bytes where byte & 0xC0 != 0x80 { count += 1 }
    return count
  }

  /// Byte offsets at which code points begin, the end included.
  var scalarOffsets: [Int] {
    var offsets: [Int] = []
    offsets.reserveCapacity(bytes.count + 1)
    for (offset, byte) in bytes.enumerated() where byte & 0xC0 != 0x80 { offsets.append(offset) }
    offsets.append(bytes.count)
    return offsets
  }

  /// Bytes of the code point that begins with `lead`.
  static func width(of lead: UInt8) -> Int {
    switch lead {
    case ..<0x80: 1
    case ..<0xE0: 2
    case ..<0xF0: 3
    default: 4
    }
  }

  /// The code point that begins at a byte offset, and the offset behind it.
  func scalar(at offset: Int) -> (scalar: Unicode.Scalar, next: Int) {
    let lead = bytes[offset]
    let width = Self.width(of: lead)
    guard width > 1, offset + width <= bytes.count else {
      return (Unicode.Scalar(lead), offset + 1)
    }
    var value = UInt32(lead) & (0xFF >> UInt32(width + 1))
    for index in offset + 1..<offset + width { value = value << 6 | UInt32(bytes[index] & 0x3F) }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", offset + width)
  }

  /// The code point that ends before a byte offset, and where it begins.
  func scalar(before offset: Int) -> (scalar: Unicode.Scalar, start: Int) {
    var start = offset - 1
    while start > 0 && bytes[start] & 0xC0 == 0x80 { start -= 1 }
    return (scalar(at: start).scalar, start)
  }

  var scalars: [Unicode.Scalar] {
    Array(text.unicodeScalars)
  }

  /// Python's slice with start, stop and step in code points.
  func sliced(_ indices: PythonSlice) -> TemplateString {
    let offsets = scalarOffsets
    let range = indices.resolved(count: offsets.count - 1)
    if range.step == 1 {
      let start = offsets[range.start]
      return self[start..<max(start, offsets[max(range.start, range.stop)])]
    }
    var result = TemplateString()
    result.isMarkup = isMarkup
    for index in range.indices { result.append(self, range: offsets[index]..<offsets[index + 1]) }
    return result
  }

  /// Each code point as a string of its own.
  var characters: [TemplateString] {
    let offsets = scalarOffsets
    return (0..<offsets.count - 1).map { self[offsets[$0]..<offsets[$0 + 1]] }
  }
}

extension Unicode.Scalar {
  /// What Python's `str.isspace` and the `\s` of its regular expressions take for white space.
  var isPythonSpace: Bool {
    switch value {
    case 0x09...0x0D, 0x1C...0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F,
      0x205F, 0x3000:
      true
    default: false
    }
  }

  /// What ends a line for Python's `str.splitlines`.
  var isPythonLineBreak: Bool {
    switch value {
    case 0x0A...0x0D, 0x1C...0x1E, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  /// Python's `str.isprintable`, which decides what `repr` escapes.
  var isPythonPrintable: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    case .spaceSeparator: self == " "
    default: true
    }
  }
}

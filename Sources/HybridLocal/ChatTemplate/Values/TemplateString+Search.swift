/// Searching, splitting and replacing as Python's `str` methods do, origins kept.
extension TemplateString {
  /// The first byte offset at or after `start` where `needle` stands.
  ///
  /// UTF-8 is self-synchronising: a match of whole code points never begins inside another one.
  func firstIndex(of needle: TemplateString, from start: Int = 0) -> Int? {
    let needleBytes = needle.bytes
    guard let first = needleBytes.first else { return start <= count ? start : nil }
    guard needleBytes.count <= bytes.count else { return nil }
    var offset = start
    let last = bytes.count - needleBytes.count
    search: while offset <= last {
      guard let found = bytes[offset...last].firstIndex(of: first) else { return nil }
      offset = found
      var index = 1
      while index < needleBytes.count {
        if bytes[offset + index] != needleBytes[index] {
          offset += 1
          continue search
        }
        index += 1
      }
      return offset
    }
    return nil
  }

  /// The last byte offset where `needle` stands and ends at or before `end`.
  func lastIndex(of needle: TemplateString, upTo end: Int) -> Int? {
    var offset = end - needle.count
    while offset >= 0 {
      if matches(needle, at: offset) { return offset }
      offset -= 1
    }
    return nil
  }

  func contains(_ needle: TemplateString) -> Bool {
    firstIndex(of: needle) != nil
  }

  func matches(_ other: TemplateString, at offset: Int) -> Bool {
    guard offset >= 0, offset + other.count <= count else { return false }
    return bytes[offset..<offset + other.count].elementsEqual(other.bytes)
  }

  func hasPrefix(_ other: TemplateString) -> Bool { matches(other, at: 0) }
  func hasSuffix(_ other: TemplateString) -> Bool { matches(other, at: count - other.count) }

  /// Which ends `stripped` works on.
  struct Ends: OptionSet {
    let rawValue: Int
    static let leading = Ends(rawValue: 1)
    static let trailing = Ends(rawValue: 2)
    static let both: Ends = [.leading, .trailing]
  }

  /// Without white space (or the code points in `characters`) at its ends.
  func stripped(_ ends: Ends, characters: TemplateString? = nil) -> TemplateString {
    let set = characters.map { Set($0.scalars) }
    func isStripped(_ scalar: Unicode.Scalar) -> Bool {
      set?.contains(scalar) ?? scalar.isPythonSpace
    }
    var start = 0
    var end = count
    if ends.contains(.leading) {
      while start < end {
        let (scalar, next) = scalar(at: start)
        guard isStripped(scalar) else { break }
        start = next
      }
    }
    if ends.contains(.trailing) {
      while end > start {
        let (scalar, before) = scalar(before: end)
        guard isStripped(scalar) else { break }
        end = before
      }
    }
    return self[start..<end]
  }

  /// Splits at a separator that is not empty, from the left, at most `limit` times if not negative.
  func split(separator: TemplateString, limit: Int) -> [TemplateString] {
    var parts: [TemplateString] = []
    var start = 0
    while limit < 0 || parts.count < limit, let found = firstIndex(of: separator, from: start) {
      parts.append(self[start..<found])
      start = found + separator.count
    }
    parts.append(self[start..<count])
    return parts
  }

  /// Splits at a separator that is not empty, from the right.
  func splitFromEnd(separator: TemplateString, limit: Int) -> [TemplateString] {
    var parts: [TemplateString] = []
    var end = count
    while limit < 0 || parts.count < limit, let found = lastIndex(of: separator, upTo: end) {
      parts.append(self[found + separator.count..<end])
      end = found
    }
    parts.append(self[0..<end])
    return parts.reversed()
  }

  /// Splits at runs of white space, leaving out empty parts; the rest after `limit` stays whole.
  func splitAtSpace(limit: Int) -> [TemplateString] {
    var parts: [TemplateString] = []
    var offset = 0
    while true {
      while offset < count, scalar(at: offset).scalar.isPythonSpace {
        offset = scalar(at: offset).next
      }
      guard offset < count else { return parts }
      if limit >= 0 && parts.count == limit {
        parts.append(self[offset..<count])
        return parts
      }
      let start = offset
      while offset < count, !scalar(at: offset).scalar.isPythonSpace {
        offset = scalar(at: offset).next
      }
      parts.append(self[start..<offset])
    }
  }

  /// The lines of it, without their ends unless `keepEnds`.
  func splitLines(keepEnds: Bool = false) -> [TemplateString] {
    var lines: [TemplateString] = []
    var start = 0
    var offset = 0
    while offset < count {
      let (scalar, next) = scalar(at: offset)
      guard scalar.isPythonLineBreak else {
        offset = next
        continue
      }
      let isPair = scalar == "\r" && next < count && bytes[next] == UInt8(ascii: "\n")
      let after = isPair ? next + 1 : next
      lines.append(self[start..<(keepEnds ? after : offset)])
      start = after
      offset = after
    }
    if start < count { lines.append(self[start..<count]) }
    return lines
  }

  /// Each occurrence of `old` replaced, at most `limit` of them if not negative.
  ///
  /// An empty `old` stands before each code point and at the end, as in Python.
  func replacing(_ old: TemplateString, with new: TemplateString, limit: Int) -> TemplateString {
    var result = TemplateString()
    result.isMarkup = isMarkup
    var done = 0
    if old.isEmpty {
      let offsets = scalarOffsets
      for index in offsets.indices {
        if limit < 0 || done < limit {
          result.append(new)
          done += 1
        }
        if index + 1 < offsets.count {
          result.append(self, range: offsets[index]..<offsets[index + 1])
        }
      }
      return result
    }
    var start = 0
    while limit < 0 || done < limit, let found = firstIndex(of: old, from: start) {
      result.append(self, range: start..<found)
      result.append(new)
      start = found + old.count
      done += 1
    }
    result.append(self, range: start..<count)
    return result
  }

  /// How often `needle` stands in it without overlap.
  func occurrences(of needle: TemplateString) -> Int {
    if needle.isEmpty { return scalarCount + 1 }
    var total = 0
    var start = 0
    while let found = firstIndex(of: needle, from: start) {
      total += 1
      start = found + needle.count
    }
    return total
  }

  /// The parts with this string between them.
  func joining(_ parts: [TemplateString]) -> TemplateString {
    var result = TemplateString()
    for (index, part) in parts.enumerated() {
      if index > 0 { result.append(self) }
      result.append(part)
    }
    return result
  }

  func repeated(_ times: Int) -> TemplateString {
    var result = TemplateString()
    result.isMarkup = isMarkup
    result.reserve(count * max(0, times))
    for _ in 0..<max(0, times) { result.append(self) }
    return result
  }
}

/// A prompt cut at its special tokens: those that the template wrote, and no others.
///
/// A special token's text that a message holds, or that only comes about where template and message
/// meet, stays text. All text between two special tokens is one fragment, template and messages
/// together, so that it is tokenised exactly as the whole would be.
package struct PromptPartition: Sendable, Hashable {
  package enum Fragment: Sendable, Hashable {
    case special(Token)
    /// Text in parts to be tokenised one by one: cut only where it would otherwise read as a
    /// user-defined special token, which llama.cpp finds in any text.
    case text([ArraySlice<UInt8>])
  }

  package private(set) var fragments: [Fragment] = []

  private enum Section {
    case special(Token)
    case text(Range<Int>)
  }

  package init(_ prompt: RenderedPrompt, specials: SpecialTokens) {
    let text = prompt.bytes
    let templateRanges = prompt.ranges.filter { $0.origin == .template }.map(\.range)
    var sections = text.isEmpty ? [] : [Section.text(text.startIndex..<text.endIndex)]
    for special in specials.occurring(in: templateRanges.lazy.map { text[$0] }) {
      sections = sections.flatMap { section -> [Section] in
        guard case .text(let range) = section else { return [section] }
        return Self.split(text, range, at: special, within: templateRanges)
      }
    }
    let userDefined = specials.structural.filter { $0.attributes.contains(.userDefined) }
    fragments = sections.map { section in
      switch section {
      case .special(let token): .special(token)
      case .text(let range): .text(Self.cut(text[range], inside: userDefined))
      }
    }
  }

  private static func split(
    _ text: [UInt8], _ range: Range<Int>, at special: SpecialToken, within allowed: [Range<Int>]
  ) -> [Section] {
    var sections: [Section] = []
    var start = range.lowerBound
    func append(_ part: Range<Int>) {
      if !part.isEmpty { sections.append(.text(part)) }
    }
    // Long conversations have many of both: each section looks at its own alone.
    for allowed in allowed[firstIndex(of: allowed, beyond: range.lowerBound)...] {
      if allowed.lowerBound >= range.upperBound { break }
      var place = max(start, allowed.lowerBound)
      let part = text[..<min(allowed.upperBound, range.upperBound)]
      while let found = part.firstOccurrence(of: special.text, from: place) {
        var end = found
        if special.attributes.contains(.stripsLeft) {
          while end > start, text[end - 1].isSpace { end -= 1 }
        }
        append(start..<end)
        sections.append(.special(special.id))
        start = found + special.text.count
        if special.attributes.contains(.stripsRight) {
          while start < range.upperBound, text[start].isSpace { start += 1 }
        }
        place = start
      }
    }
    append(start..<range.upperBound)
    return sections
  }

  /// The first of the ranges, which are in order, that ends behind a place.
  private static func firstIndex(of ranges: [Range<Int>], beyond place: Int) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound > place { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Cuts text within every occurrence of the tokens' texts, behind the first character.
  static func cut(_ text: ArraySlice<UInt8>, inside specials: [SpecialToken]) -> [ArraySlice<UInt8>]
  {
    var cuts: Set<Int> = []
    for special in specials {
      var place = text.startIndex
      while let found = text.firstOccurrence(of: special.text, from: place) {
        var cut = found + 1
        while text[cut] & 0b1100_0000 == 0b1000_0000 { cut += 1 }
        cuts.insert(cut)
        place = found + 1
      }
    }
    var parts: [ArraySlice<UInt8>] = []
    var start = text.startIndex
    for cut in cuts.sorted() {
      parts.append(text[start..<cut])
      start = cut
    }
    parts.append(text[start...])
    return parts
  }
}

extension UInt8 {
  /// C's `isspace` in the C locale, by which llama.cpp strips.
  var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

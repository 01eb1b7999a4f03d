/// A token that is not made of text: the marks between turns and their like.
package struct SpecialToken: Sendable, Hashable {
  package let id: Token
  package let text: [UInt8]
  package let attributes: TokenAttributes

  package init(id: Token, text: some Sequence<UInt8>, attributes: TokenAttributes) {
    self.id = id
    self.text = Array(text)
    self.attributes = attributes
  }
}

/// A vocabulary's special tokens, as far as they can be structure in a prompt.
///
/// That is all control tokens, and those user-defined ones that the chat template writes. Other
/// user-defined tokens (runs of white space, HTML tags) are only efficient spellings of text.
package struct SpecialTokens: Sendable {
  /// Longest first, as llama.cpp looks for them.
  let structural: [SpecialToken]
  /// Tokens that no text may yield.
  let control: Set<Token>
  private let byFirstByte: [UInt8: [Int]]

  package init(_ tokens: some Sequence<SpecialToken>, template: String) {
    let template = Array(template.utf8)
    structural = tokens.filter { token in
      if token.text.isEmpty { return false }
      if !token.attributes.isDisjoint(with: [.control, .unknown]) { return true }
      return token.attributes.contains(.userDefined) && token.isMark
        && template.firstOccurrence(of: token.text, from: 0) != nil
    }.sorted { ($1.text.count, $0.id) < ($0.text.count, $1.id) }
    control = Set(structural.lazy.filter { $0.attributes.contains(.control) }.map(\.id))
    byFirstByte = Dictionary(grouping: structural.indices) { [structural] in
      structural[$0].text[0]
    }
  }

  /// The tokens whose texts occur in one of the pieces, longest first.
  func occurring(in pieces: some Sequence<ArraySlice<UInt8>>) -> [SpecialToken] {
    var found: Set<Int> = []
    for piece in pieces {
      for place in piece.indices {
        for index in byFirstByte[piece[place]] ?? [] where !found.contains(index) {
          if piece[place...].starts(with: structural[index].text) { found.insert(index) }
        }
      }
    }
    return found.sorted().map { structural[$0] }
  }
}

extension SpecialToken {
  /// True for a text that somebody chose as a mark: not only white space, and of two characters or
  /// more, so that it can be cut.
  fileprivate var isMark: Bool {
    let text = String(decoding: text, as: UTF8.self)
    return text.unicodeScalars.count > 1 && !text.allSatisfy(\.isWhitespace)
  }
}

extension RandomAccessCollection<UInt8> where Index == Int {
  /// Where `pattern`, which is not empty, begins first at or after `start`.
  func firstOccurrence(of pattern: [UInt8], from start: Int) -> Int? {
    var place = start
    while place + pattern.count <= endIndex {
      if self[place] == pattern[0], self[place...].starts(with: pattern) { return place }
      place += 1
    }
    return nil
  }
}

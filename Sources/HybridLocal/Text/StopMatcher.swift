/// Finds the first of several stop strings in text that comes in pieces.
///
/// Holds back what may be the beginning of one, so that no part of a stop string is given out. Where
/// the pieces are cut makes no difference. Costs one step a byte and stop string.
package struct StopMatcher: Sendable {
  package enum Result: Sendable, Hashable {
    /// Text that belongs to the answer; may be empty.
    case text(String)
    /// The rest of the answer: a stop string follows it.
    case stopped(String)
  }

  private var patterns: [Pattern]
  private var held: [UInt8] = []
  private var isStopped = false

  /// - Parameter stops: none of them empty.
  package init(_ stops: [String]) {
    patterns = stops.map { Pattern(Array($0.utf8)) }
  }

  /// The answer's text so far, as far as it is certain.
  ///
  /// The stop string that ends first counts; of those that end together the longest.
  package mutating func append(_ text: String) -> Result {
    if isStopped { return .stopped("") }
    if patterns.isEmpty { return .text(text) }
    let start = held.count
    held.append(contentsOf: text.utf8)
    for index in start..<held.count {
      var stopLength = 0
      for place in patterns.indices where patterns[place].advance(held[index]) {
        stopLength = max(stopLength, patterns[place].bytes.count)
      }
      if stopLength > 0 {
        isStopped = true
        defer { held.removeAll() }
        return .stopped(String(decoding: held[..<(index + 1 - stopLength)], as: UTF8.self))
      }
    }
    // A stop string's beginning starts with a character's first byte, so the cut falls between two.
    let certain = held.count - (patterns.lazy.map(\.matched).max() ?? 0)
    defer { held.removeFirst(certain) }
    return .text(String(decoding: held[..<certain], as: UTF8.self))
  }

  /// What was held back, once no more text comes: it was no stop string.
  package mutating func finish() -> String {
    defer { held.removeAll() }
    return String(decoding: held, as: UTF8.self)
  }

  /// One stop string, and how many of its bytes the text ends with (Knuth, Morris, Pratt).
  private struct Pattern: Sendable {
    let bytes: [UInt8]
    /// For each length of a match: the longest shorter beginning that is also its end.
    let fallback: [Int]
    var matched = 0

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      var fallback = [0, 0]
      var length = 0
      for index in bytes.indices.dropFirst() {
        while length > 0, bytes[index] != bytes[length] { length = fallback[length] }
        if bytes[index] == bytes[length] { length += 1 }
        fallback.append(length)
      }
      self.fallback = fallback
    }

    /// True when the text now ends with the whole string.
    mutating func advance(_ byte: UInt8) -> Bool {
      while matched > 0, bytes[matched] != byte { matched = fallback[matched] }
      if bytes[matched] == byte { matched += 1 }
      return matched == bytes.count
    }
  }
}

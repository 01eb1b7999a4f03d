/// Puts a token stream's bytes together to whole characters.
///
/// A token may hold half a character: one emoji is often three or four tokens. What is incomplete
/// waits, at most 3 bytes of it, for the rest.
package struct UTF8Assembler: Sendable {
  private var tail: [UInt8] = []

  package init() {}

  /// The bytes that wait.
  package var heldCount: Int { tail.count }

  /// The text that is complete with these bytes; U+FFFD stands for bytes that cannot be a character.
  package mutating func append(_ bytes: some Sequence<UInt8>) -> String {
    tail.append(contentsOf: bytes)
    let complete = tail.count - Self.incompleteCount(tail)
    defer { tail.removeFirst(complete) }
    return String(decoding: tail.prefix(complete), as: UTF8.self)
  }

  /// The text's end: U+FFFD for a character that never became whole.
  package mutating func finish() -> String {
    defer { tail.removeAll() }
    return String(decoding: tail, as: UTF8.self)
  }

  /// The bytes at the end that begin a character and lack its rest.
  private static func incompleteCount(_ bytes: [UInt8]) -> Int {
    for count in 1...3 where count <= bytes.count {
      let lead = bytes[bytes.count - count]
      if lead & 0b1100_0000 == 0b1000_0000 { continue }
      guard let length = length(lead), length > count else { return 0 }
      return count == 1 || allows(lead, second: bytes[bytes.count - count + 1]) ? count : 0
    }
    return 0
  }

  /// How many bytes a character takes, by its first; nil where none begins so.
  private static func length(_ lead: UInt8) -> Int? {
    switch lead {
    case ..<0x80: 1
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: nil
    }
  }

  /// Unicode 16.0, table 3-7: after some first bytes the second is limited, so that no character has
  /// two spellings, is half of a surrogate pair, or lies beyond U+10FFFF.
  private static func allows(_ lead: UInt8, second: UInt8) -> Bool {
    switch lead {
    case 0xE0: second >= 0xA0
    case 0xED: second <= 0x9F
    case 0xF0: second >= 0x90
    case 0xF4: second <= 0x8F
    default: true
    }
  }
}

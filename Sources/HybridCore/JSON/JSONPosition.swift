/// A place in a JSON text, as a person or an editor counts it.
public struct JSONPosition: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// From 1. LF, CR and CR LF each end a line.
  public let line: Int

  /// From 1, in characters as people see them: an emoji of several code points is one.
  public let column: Int

  /// From 0, in bytes of UTF-8, a byte-order mark included.
  public let offset: Int

  public var description: String { "line \(line), column \(column)" }

  public static func < (left: JSONPosition, right: JSONPosition) -> Bool {
    left.offset < right.offset
  }

  package init(line: Int, column: Int, offset: Int) {
    self.line = line
    self.column = column
    self.offset = offset
  }

  /// Counts lines and characters up to `offset`: linear in it, so done only when something is to be
  /// reported.
  package init(offset: Int, in bytes: [UInt8]) {
    let end = min(max(offset, 0), bytes.count)
    var lineStart = bytes.starts(with: UTF8BOM.bytes) ? min(UTF8BOM.bytes.count, end) : 0
    var line = 1
    var index = lineStart
    while index < end {
      let byte = bytes[index]
      index += 1
      if byte == .carriageReturn, index < bytes.count, bytes[index] == .lineFeed {
        // Between CR and LF is still the old line.
        guard index < end else { break }
        index += 1
      } else if byte != .lineFeed && byte != .carriageReturn {
        continue
      }
      line += 1
      lineStart = index
    }
    self.line = line
    self.column = String(decoding: bytes[lineStart..<end], as: UTF8.self).count + 1
    self.offset = offset
  }
}

/// The byte-order mark that some editors put before UTF-8.
package enum UTF8BOM {
  package static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
}

extension UInt8 {
  static let tab = UInt8(ascii: "\t")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")
  static let comma = UInt8(ascii: ",")
  static let colon = UInt8(ascii: ":")
  static let openBracket = UInt8(ascii: "[")
  static let closeBracket = UInt8(ascii: "]")
  static let openBrace = UInt8(ascii: "{")
  static let closeBrace = UInt8(ascii: "}")

  var isASCIIDigit: Bool { self &- 0x30 < 10 }

  var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }
}

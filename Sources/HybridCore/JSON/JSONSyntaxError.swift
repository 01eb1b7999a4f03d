/// Why a text is not JSON, and where.
///
/// Shows no part of the text but punctuation and the names of keys.
public struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
  public let position: JSONPosition
  public let problem: Problem

  /// From 1.
  public var line: Int { position.line }
  /// From 1, in characters.
  public var column: Int { position.column }
  /// From 0, in bytes.
  public var offset: Int { position.offset }

  public var description: String { "\(position): \(problem)" }

  /// What is wrong at the position.
  public enum Problem: Sendable, Hashable {
    /// Nothing but white space.
    case empty
    /// The text ends inside something that began at `begun`.
    case unfinished(Part, begun: JSONPosition)
    /// Something else stands where `expected` should.
    case unexpected(Found, expected: Expected)
    /// A comma with no value or member after it.
    case trailingComma
    /// More text after the value.
    case textAfterEnd
    /// `//`, `/* */` or `#`.
    case comment
    /// A bare word that is not `true`, `false` or `null`: `True`, `NaN`, an unquoted key.
    case unknownWord
    /// `01`.
    case leadingZero
    /// `+1`, `.5`, `1.`, `1e`, `-`.
    case malformedNumber
    /// A backslash before something that JSON does not name, or `\u` without four hex digits.
    case badEscape
    /// A line break, tab or other control character inside a text, unescaped.
    case controlCharacter
    /// Half of a surrogate pair, which is no character.
    case loneSurrogate
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// A second member of the same name.
    case repeatedKey(String)
    /// More lists and objects inside each other than allowed.
    case tooDeep(limit: Int)
  }

  /// A part of a JSON text.
  public enum Part: String, Sendable, Hashable {
    case text
    case number
    case word
    case list
    case object
  }

  /// What the grammar allows at a place.
  public enum Expected: String, Sendable, Hashable {
    case value = "a value"
    case key = "a key in double quotes"
    case colon = "\":\" after the key"
    case commaOrEndOfList = "\",\" or \"]\""
    case commaOrEndOfObject = "\",\" or \"}\""
  }

  /// What was met instead; content is not shown.
  public enum Found: Sendable, Hashable {
    case punctuation(Character)
    case digit
    case letter
    case other

    init(_ byte: UInt8) {
      switch byte {
      case _ where byte.isASCIIDigit: self = .digit
      case _ where byte.isASCIILetter: self = .letter
      case 0x21..<0x7F: self = .punctuation(Character(Unicode.Scalar(byte)))
      default: self = .other
      }
    }
  }
}

extension JSONSyntaxError.Problem: CustomStringConvertible {
  public var description: String {
    switch self {
    case .empty: "there is nothing here"
    case .unfinished(let part, let begun):
      "the text ends inside the \(part.rawValue) that begins at \(begun)"
    case .unexpected(.punctuation("'"), let expected):
      "expected \(expected.rawValue), found ' (JSON takes double quotes only)"
    case .unexpected(let found, let expected):
      "expected \(expected.rawValue), found \(found)"
    case .trailingComma: "a comma with nothing after it"
    case .textAfterEnd: "more text after the end of the value"
    case .comment: "JSON has no comments"
    case .unknownWord: "a bare word that is not true, false or null"
    case .leadingZero: "a number cannot begin with 0 before another digit"
    case .malformedNumber: "not a number as JSON writes it"
    case .badEscape: "a backslash before something that JSON does not escape"
    case .controlCharacter: "a line break or control character inside a text; escape it"
    case .loneSurrogate: "half of a surrogate pair, which is no character"
    case .invalidUTF8: "bytes that are not UTF-8"
    case .repeatedKey(let key): "the key \(JSONPath.quoted(key)) is here for the second time"
    case .tooDeep(let limit): "more than \(limit) lists and objects inside each other"
    }
  }
}

extension JSONSyntaxError.Found: CustomStringConvertible {
  public var description: String {
    switch self {
    case .punctuation(let character): "\(character)"
    case .digit: "a digit"
    case .letter: "a letter"
    case .other: "something else"
    }
  }
}

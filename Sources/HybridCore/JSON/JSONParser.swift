/// The grammar of RFC 8259 as one loop over the bytes, with its own stack.
struct JSONParser<Tree: JSONTree> {
  let bytes: [UInt8]
  let settings: JSONReader
  var index = 0

  private var open: [Container] = []

  /// A list or an object whose end has not been seen.
  private struct Container {
    let isObject: Bool
    let offset: Int
    var elements: [Tree.Value] = []
    var members: [Tree.Member] = []
    var key = ""
    var keyOffset = 0
    /// Where each key stands, once there are too many to look through: a thousand keys must not
    /// cost a million comparisons.
    var places: [ExactKey: Int]?
  }

  private struct ExactKey: Hashable {
    let key: String

    static func == (left: ExactKey, right: ExactKey) -> Bool { left.key.isSame(as: right.key) }

    func hash(into hasher: inout Hasher) { key.hash(into: &hasher) }
  }

  init(_ bytes: [UInt8], settings: JSONReader) {
    self.bytes = bytes
    self.settings = settings
  }

  mutating func parse() throws(JSONSyntaxError) -> Tree.Value {
    if bytes.starts(with: UTF8BOM.bytes) { index = UTF8BOM.bytes.count }
    skipWhitespace()
    guard index < bytes.count else { throw error(.empty) }
    while true {
      guard var value = try beginValue() else { continue }
      // The value may be the last of its container, and that of its own, and so on.
      while true {
        guard !open.isEmpty else {
          skipWhitespace()
          guard index == bytes.count else { throw trailingText() }
          return value
        }
        attach(value)
        guard let closed = try continueOrClose() else { break }
        value = closed
      }
    }
  }

  /// Reads a scalar or an empty container.
  ///
  /// - Returns: nil where a container was opened and its first value comes next.
  private mutating func beginValue() throws(JSONSyntaxError) -> Tree.Value? {
    skipWhitespace()
    let start = index
    guard index < bytes.count else { throw unfinished(at: start) }
    switch bytes[index] {
    case .openBrace:
      try push(isObject: true)
      if skip(.closeBrace) {
        open.removeLast()
        return Tree.object([], at: start)
      }
      try readKey()
      return nil
    case .openBracket:
      try push(isObject: false)
      if skip(.closeBracket) {
        open.removeLast()
        return Tree.array([], at: start)
      }
      return nil
    case .quote:
      return Tree.string(try readText(), at: start)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return Tree.number(try readNumber(), at: start)
    case UInt8(ascii: "t") where readWord("true"):
      return Tree.bool(true, at: start)
    case UInt8(ascii: "f") where readWord("false"):
      return Tree.bool(false, at: start)
    case UInt8(ascii: "n") where readWord("null"):
      return Tree.null(at: start)
    default:
      throw notAValue()
    }
  }

  private mutating func push(isObject: Bool) throws(JSONSyntaxError) {
    guard open.count < settings.maximumDepth else {
      throw error(.tooDeep(limit: settings.maximumDepth))
    }
    open.append(Container(isObject: isObject, offset: index))
    index += 1
    skipWhitespace()
  }

  private mutating func attach(_ value: Tree.Value) {
    let last = open.count - 1
    guard open[last].isObject else {
      open[last].elements.append(value)
      return
    }
    let key = open[last].key
    let member = Tree.member(key: key, at: open[last].keyOffset, value: value)
    if let place = place(of: key) {
      open[last].members[place] = member
    } else {
      let count = open[last].members.count
      open[last].places?[ExactKey(key: key)] = count
      open[last].members.append(member)
    }
  }

  /// Where the open object already has `key`.
  private mutating func place(of key: String) -> Int? {
    let last = open.count - 1
    if open[last].places == nil, open[last].members.count >= 16 {
      var places: [ExactKey: Int] = [:]
      for (place, member) in open[last].members.enumerated() {
        places[ExactKey(key: Tree.key(of: member))] = place
      }
      open[last].places = places
    }
    if let places = open[last].places { return places[ExactKey(key: key)] }
    return open[last].members.firstIndex { Tree.key(of: $0).isSame(as: key) }
  }

  /// After a value inside a container.
  ///
  /// - Returns: the container if it ends here; nil where another value comes.
  private mutating func continueOrClose() throws(JSONSyntaxError) -> Tree.Value? {
    skipWhitespace()
    let last = open.count - 1
    let isObject = open[last].isObject
    guard index < bytes.count else { throw unfinished(at: index) }
    if skip(.comma) {
      skipWhitespace()
      if index < bytes.count, bytes[index] == (isObject ? .closeBrace : .closeBracket) {
        throw error(.trailingComma)
      }
      if isObject { try readKey() }
      return nil
    }
    guard skip(isObject ? .closeBrace : .closeBracket) else {
      throw unexpected(isObject ? .commaOrEndOfObject : .commaOrEndOfList)
    }
    let container = open.removeLast()
    return isObject
      ? Tree.object(container.members, at: container.offset)
      : Tree.array(container.elements, at: container.offset)
  }

  private mutating func readKey() throws(JSONSyntaxError) {
    guard index < bytes.count else { throw unfinished(at: index) }
    guard bytes[index] == .quote else { throw unexpected(.key) }
    let start = index
    let key = try readText()
    if settings.repeatedKeys == .refused, place(of: key) != nil {
      throw error(.repeatedKey(key), at: start)
    }
    open[open.count - 1].key = key
    open[open.count - 1].keyOffset = start
    skipWhitespace()
    guard index < bytes.count else { throw unfinished(at: index) }
    guard skip(.colon) else { throw unexpected(.colon) }
  }

  private mutating func readWord(_ word: StaticString) -> Bool {
    let letters = String(describing: word).utf8
    let end = index + letters.count
    guard end <= bytes.count, bytes[index..<end].elementsEqual(letters),
      end == bytes.count || !bytes[end].isASCIILetter && !bytes[end].isASCIIDigit
    else { return false }
    index = end
    return true
  }

  private mutating func readNumber() throws(JSONSyntaxError) -> String {
    let start = index
    _ = skip(UInt8(ascii: "-"))
    if skip(UInt8(ascii: "0")) {
      if index < bytes.count, bytes[index].isASCIIDigit { throw error(.leadingZero, at: start) }
    } else {
      try readDigits(of: start)
    }
    if skip(UInt8(ascii: ".")) { try readDigits(of: start) }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      if !skip(UInt8(ascii: "-")) { _ = skip(UInt8(ascii: "+")) }
      try readDigits(of: start)
    }
    if index < bytes.count, bytes[index].isASCIILetter || bytes[index] == UInt8(ascii: ".") {
      throw error(.malformedNumber, at: start)
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func readDigits(of start: Int) throws(JSONSyntaxError) {
    let first = index
    while index < bytes.count, bytes[index].isASCIIDigit { index += 1 }
    if index > first { return }
    if index == bytes.count { throw unfinished(.number, begun: start) }
    throw error(.malformedNumber, at: start)
  }

  mutating func skip(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  mutating func skipWhitespace() {
    while index < bytes.count {
      switch bytes[index] {
      case .space, .lineFeed, .carriageReturn, .tab: index += 1
      default: return
      }
    }
  }
}

extension JSONParser {
  func error(_ problem: JSONSyntaxError.Problem, at offset: Int? = nil) -> JSONSyntaxError {
    JSONSyntaxError(
      position: JSONPosition(offset: offset ?? index, in: bytes), problem: problem)
  }

  func unfinished(_ part: JSONSyntaxError.Part, begun: Int) -> JSONSyntaxError {
    error(
      .unfinished(part, begun: JSONPosition(offset: begun, in: bytes)), at: bytes.count)
  }

  /// The text ended where the innermost open container went on.
  private func unfinished(at offset: Int) -> JSONSyntaxError {
    guard let container = open.last else { return error(.empty, at: offset) }
    return unfinished(container.isObject ? .object : .list, begun: container.offset)
  }

  private func unexpected(_ expected: JSONSyntaxError.Expected) -> JSONSyntaxError {
    if isComment { return error(.comment) }
    return error(.unexpected(JSONSyntaxError.Found(bytes[index]), expected: expected))
  }

  private func notAValue() -> JSONSyntaxError {
    let byte = bytes[index]
    if byte.isASCIILetter {
      return bytes[index...].allSatisfy(\.isASCIILetter) && isPrefixOfWord
        ? unfinished(.word, begun: index) : error(.unknownWord)
    }
    if byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".") { return error(.malformedNumber) }
    return unexpected(.value)
  }

  private var isPrefixOfWord: Bool {
    let rest = String(decoding: bytes[index...].prefix(8), as: UTF8.self)
    return ["true", "false", "null"].contains { $0.hasPrefix(rest) }
  }

  private var isComment: Bool {
    let rest = bytes[index...].prefix(2)
    return rest.first == UInt8(ascii: "#") || rest.elementsEqual("//".utf8)
      || rest.elementsEqual("/*".utf8)
  }

  private func trailingText() -> JSONSyntaxError {
    error(isComment ? .comment : .textAfterEnd)
  }
}

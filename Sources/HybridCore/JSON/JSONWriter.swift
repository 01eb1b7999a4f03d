/// Writes JSON text: members in their order, numbers by their literals, characters beyond ASCII as
/// they are. Iterative: depth costs no stack.
public struct JSONWriter: Sendable {
  public var layout: Layout

  public enum Layout: Sendable, Hashable {
    /// One line with no white space, for the wire and for JSON lines.
    case compact
    /// Two spaces a level, for people. No line break at the end.
    case pretty
  }

  public init(_ layout: Layout = .compact) {
    self.layout = layout
  }

  public static let compact = JSONWriter(.compact)
  public static let pretty = JSONWriter(.pretty)

  public func string(_ value: JSONValue) -> String {
    String(decoding: bytes(value), as: UTF8.self)
  }

  public func bytes(_ value: JSONValue) -> [UInt8] {
    var output = Output(isPretty: layout == .pretty)
    output.write(value)
    return output.bytes
  }

  private struct Output {
    let isPretty: Bool
    var bytes: [UInt8] = []

    private enum Rest {
      case elements(ArraySlice<JSONValue>)
      case members(ArraySlice<JSONObject.Member>)
    }

    init(isPretty: Bool) {
      self.isPretty = isPretty
    }

    mutating func write(_ value: JSONValue) {
      var open: [Rest] = []
      begin(value, &open)
      while let rest = open.popLast() {
        switch rest {
        case .elements(let elements):
          guard let element = elements.first else {
            end(.closeBracket, depth: open.count)
            continue
          }
          separate(isFirst: elements.startIndex == 0, depth: open.count + 1)
          open.append(.elements(elements.dropFirst()))
          begin(element, &open)
        case .members(let members):
          guard let member = members.first else {
            end(.closeBrace, depth: open.count)
            continue
          }
          separate(isFirst: members.startIndex == 0, depth: open.count + 1)
          open.append(.members(members.dropFirst()))
          write(text: member.key)
          bytes.append(.colon)
          if isPretty { bytes.append(.space) }
          begin(member.value, &open)
        }
      }
    }

    private mutating func begin(_ value: JSONValue, _ open: inout [Rest]) {
      switch value {
      case .null: bytes += "null".utf8
      case .bool(let flag): bytes += (flag ? "true" : "false").utf8
      case .number(let number): bytes += number.literal.utf8
      case .string(let text): write(text: text)
      case .array(let elements) where elements.isEmpty: bytes += "[]".utf8
      case .array(let elements):
        bytes.append(.openBracket)
        open.append(.elements(elements[...]))
      case .object(let object) where object.isEmpty: bytes += "{}".utf8
      case .object(let object):
        bytes.append(.openBrace)
        open.append(.members(object.members[...]))
      }
    }

    private mutating func separate(isFirst: Bool, depth: Int) {
      if !isFirst { bytes.append(.comma) }
      if isPretty { startLine(depth: depth) }
    }

    private mutating func end(_ bracket: UInt8, depth: Int) {
      if isPretty { startLine(depth: depth) }
      bytes.append(bracket)
    }

    private mutating func startLine(depth: Int) {
      bytes.append(.lineFeed)
      bytes.append(contentsOf: repeatElement(.space, count: 2 * depth))
    }

    private mutating func write(text: String) {
      bytes.append(.quote)
      for byte in text.utf8 {
        switch byte {
        case .quote, .backslash: bytes += [.backslash, byte]
        case .lineFeed: bytes += "\\n".utf8
        case .carriageReturn: bytes += "\\r".utf8
        case .tab: bytes += "\\t".utf8
        case 0..<0x20:
          bytes += "\\u00".utf8
          bytes.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
          bytes.append("0123456789abcdef".utf8.dropFirst(Int(byte & 15)).first ?? .space)
        default: bytes.append(byte)
        }
      }
      bytes.append(.quote)
    }
  }
}

/// A JSON text as a tree that knows where each value stands.
public struct JSONDocument: Sendable {
  public let root: JSONNode

  private let bytes: [UInt8]

  init(root: JSONNode, bytes: [UInt8]) {
    self.root = root
    self.bytes = bytes
  }

  /// The line and column of a byte of the text. Linear in `offset`.
  public func position(at offset: Int) -> JSONPosition {
    JSONPosition(offset: offset, in: bytes)
  }

  public func position(of node: JSONNode) -> JSONPosition {
    position(at: node.offset)
  }
}

/// A value in a ``JSONDocument``.
public struct JSONNode: Sendable {
  public let content: Content

  /// Where the value begins, in bytes from the start of the text.
  public let offset: Int

  public enum Content: Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONNode])
    case object([Member])
  }

  public struct Member: Sendable {
    public let key: String

    /// Where the key's opening quote stands.
    public let keyOffset: Int

    public let value: JSONNode
  }

  init(_ content: Content, _ offset: Int) {
    self.content = content
    self.offset = offset
  }

  /// The member of an object; nil for any other value.
  public func member(_ key: String) -> Member? {
    guard case .object(let members) = content else { return nil }
    return members.last { $0.key.isSame(as: key) }
  }

  /// The value without its places.
  public var value: JSONValue {
    // Recursive, no deeper than the reader's limit, in small frames.
    switch content {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .number(let number): .number(number)
    case .string(let text): .string(text)
    case .array(let elements): Self.array(elements)
    case .object(let members): Self.object(members)
    }
  }

  private static func array(_ elements: [JSONNode]) -> JSONValue {
    var values: [JSONValue] = []
    values.reserveCapacity(elements.count)
    for element in elements { values.append(element.value) }
    return .array(values)
  }

  private static func object(_ members: [Member]) -> JSONValue {
    var values: [JSONObject.Member] = []
    values.reserveCapacity(members.count)
    for member in members {
      values.append(JSONObject.Member(key: member.key, value: member.value.value))
    }
    return .object(JSONObject(uncheckedMembers: values))
  }
}

extension String {
  /// Equal by every code point. Swift's `==` also equates composed and decomposed characters, which
  /// JSON keeps apart.
  func isSame(as other: String) -> Bool {
    self == other && utf8.elementsEqual(other.utf8)
  }
}

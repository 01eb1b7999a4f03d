/// Header fields in the order written. Names compare without regard to case.
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  public struct Field: Sendable, Hashable {
    public var name: String
    public var value: String
    /// True for a value that is shown nowhere. One of a name that is known for secrets needs no mark.
    public var isSecret: Bool

    public init(name: String, value: String, isSecret: Bool = false) {
      self.name = name
      self.value = value
      self.isSecret = isSecret
    }
  }

  public private(set) var fields: [Field] = []

  public init() {}

  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// Adds a field, beside any other of its name.
  public mutating func append(_ name: String, _ value: String) {
    append(Field(name: name, value: value))
  }

  /// Adds a field, beside any other of its name.
  public mutating func append(_ field: Field) {
    fields.append(field)
  }

  /// The first value of that name. Setting replaces all of them; setting nil removes them.
  public subscript(name: String) -> String? {
    get { fields.first { isSameName($0.name, name) }?.value }
    set {
      fields.removeAll { isSameName($0.name, name) }
      if let newValue { append(name, newValue) }
    }
  }

  /// Every value of that name.
  public func all(_ name: String) -> [String] {
    fields.lazy.filter { isSameName($0.name, name) }.map(\.value)
  }
}

/// Header names compare as ASCII without regard to case.
private func isSameName(_ left: String, _ right: String) -> Bool {
  let left = left.utf8
  let right = right.utf8
  return left.count == right.count
    && zip(left, right).allSatisfy { lowercased($0) == lowercased($1) }
}

private func lowercased(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}

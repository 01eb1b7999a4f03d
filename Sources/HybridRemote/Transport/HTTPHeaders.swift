/// Header fields in the order written. Names compare without regard to case.
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  public struct Field: Sendable, Hashable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  public private(set) var fields: [Field] = []

  public init() {}

  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map(Field.init)
  }

  /// Adds a field, beside any other of its name.
  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
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

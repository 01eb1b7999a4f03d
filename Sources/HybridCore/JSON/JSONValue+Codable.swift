extension JSONValue: Codable {
  /// Whole with ``JSONFileDecoder``. Through another decoder a number keeps only what that decoder
  /// gives (Foundation: 64-bit integers and Doubles), and members come in its order.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? JSONNodeDecoder {
      self = decoder.node.value
      return
    }
    if let members = try? decoder.container(keyedBy: AnyCodingKey.self) {
      var object: [JSONObject.Member] = []
      for key in members.allKeys {
        let value = try members.decode(JSONValue.self, forKey: key)
        object.append(JSONObject.Member(key: key.stringValue, value: value))
      }
      self = .object(JSONObject(uncheckedMembers: object))
      return
    }
    if var elements = try? decoder.unkeyedContainer() {
      var array: [JSONValue] = []
      while !elements.isAtEnd { array.append(try elements.decode(JSONValue.self)) }
      self = .array(array)
      return
    }
    let scalar = try decoder.singleValueContainer()
    if scalar.decodeNil() {
      self = .null
    } else if let flag = try? scalar.decode(Bool.self) {
      self = .bool(flag)
    } else if let number = try? scalar.decode(Int.self) {
      self = .int(number)
    } else if let number = try? scalar.decode(UInt64.self) {
      self = .number(JSONNumber(uncheckedLiteral: String(number)))
    } else if let number = try? scalar.decode(Double.self) {
      self = .double(number)
    } else {
      self = .string(try scalar.decode(String.self))
    }
  }

  /// - Throws: `EncodingError.invalidValue` for a number beyond Double's range.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let object):
      var container = encoder.container(keyedBy: AnyCodingKey.self)
      for member in object.members {
        try container.encode(member.value, forKey: AnyCodingKey(member.key))
      }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let flag):
      var container = encoder.singleValueContainer()
      try container.encode(flag)
    case .string(let text):
      var container = encoder.singleValueContainer()
      try container.encode(text)
    case .number(let number):
      var container = encoder.singleValueContainer()
      if let value = number.int {
        try container.encode(value)
      } else if let value = UInt64(number.literal) {
        try container.encode(value)
      } else if let value = number.double {
        try container.encode(value)
      } else {
        throw EncodingError.invalidValue(
          number,
          EncodingError.Context(
            codingPath: encoder.codingPath, debugDescription: "a number beyond Double's range"))
      }
    }
  }
}

extension JSONObject: Codable {
  public init(from decoder: any Decoder) throws {
    guard case .object(let object) = try JSONValue(from: decoder) else {
      throw DecodingError.typeMismatch(
        JSONObject.self,
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "expected an object",
          underlyingError: FieldProblem("expected an object, found something else")))
    }
    self = object
  }

  public func encode(to encoder: any Encoder) throws {
    try JSONValue.object(self).encode(to: encoder)
  }
}

/// A key of any name, or of an index.
package struct AnyCodingKey: CodingKey {
  package let stringValue: String
  package let intValue: Int?

  package init(_ name: String) {
    stringValue = name
    intValue = nil
  }

  package init(index: Int) {
    stringValue = String(index)
    intValue = index
  }

  package init?(stringValue: String) { self.init(stringValue) }
  package init?(intValue: Int) { self.init(index: intValue) }
}

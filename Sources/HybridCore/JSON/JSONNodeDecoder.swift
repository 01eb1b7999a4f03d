/// A `Decoder` over a positioned tree. Its errors are `DecodingError`s whose path leads back to the
/// value, with the problem in words as the underlying error.
struct JSONNodeDecoder: Decoder {
  let node: JSONNode
  let codingPath: [any CodingKey]

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = node.content else { throw mismatch("an object") }
    return KeyedDecodingContainer(JSONMembers(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = node.content else { throw mismatch("a list") }
    return JSONElements(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func at(_ node: JSONNode, _ key: any CodingKey) -> JSONNodeDecoder {
    JSONNodeDecoder(node: node, codingPath: codingPath + [key])
  }

  func mismatch(_ expected: String, as type: Any.Type = Any.self) -> DecodingError {
    let words = "expected \(expected), found \(node.kind)"
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: words, underlyingError: FieldProblem(words))
    if case .null = node.content { return .valueNotFound(type, context) }
    return .typeMismatch(type, context)
  }
}

extension JSONNode {
  /// What the value is, without saying which.
  var kind: String {
    switch content {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .number(let number): number.kind
    case .string(let text): text.isEmpty ? "an empty text" : "a text"
    case .array(let elements): elements.isEmpty ? "an empty list" : "a list"
    case .object: "an object"
    }
  }
}

extension JSONNumber {
  fileprivate var isWhole: Bool {
    int != nil || literal.utf8.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
  }

  fileprivate var kind: String {
    if isWhole { return "a whole number" }
    return literal.utf8.contains(UInt8(ascii: ".")) ? "a number with a fraction" : "a number"
  }
}

extension JSONNodeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool {
    if case .null = node.content { true } else { false }
  }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .bool(let flag) = node.content else { throw mismatch("true or false", as: type) }
    return flag
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .string(let text) = node.content else { throw mismatch("a text", as: type) }
    return text
  }

  func decode(_ type: Double.Type) throws -> Double {
    guard case .number(let number) = node.content else { throw mismatch("a number", as: type) }
    guard let value = number.double else {
      throw DecodingError.invalidField("the number is too large", at: codingPath)
    }
    return value
  }

  func decode(_ type: Float.Type) throws -> Float {
    let value = Float(try decode(Double.self))
    guard value.isFinite else {
      throw DecodingError.invalidField("the number is too large", at: codingPath)
    }
    return value
  }

  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }

  private func integer<Value: FixedWidthInteger>() throws -> Value {
    guard case .number(let number) = node.content, number.isWhole else {
      throw mismatch("a whole number", as: Value.self)
    }
    guard let value = Value(number.literal) ?? number.int.flatMap(Value.init(exactly:)) else {
      throw DecodingError.invalidField(
        "expected a whole number from \(Value.min) to \(Value.max)", at: codingPath)
    }
    return value
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    do {
      return try Value(from: self)
    } catch {
      throw placed(error, for: type)
    }
  }

  /// Apart from `decode`, which types that hold themselves run through at every level: its frame
  /// must stay small.
  private func placed<Value>(_ error: any Error, for type: Value.Type) -> DecodingError {
    switch error {
    case let error as DecodingError: named(error, for: type)
    // Its message holds no content, by that type's own rule.
    case let error as HybridError:
      .invalidField(error.message, at: codingPath, nextStep: error.nextStep)
    default: .invalidField("cannot be used", at: codingPath)
    }
  }

  /// An enum refuses an unknown name with an error that shows the value and not the choices: here
  /// it is the other way round.
  private func named<Value>(_ error: DecodingError, for type: Value.Type) -> DecodingError {
    guard case .dataCorrupted(let context) = error, context.underlyingError == nil,
      context.codingPath.count == codingPath.count, case .string(let written) = node.content,
      let type = type as? any CaseIterable.Type, let names = Self.names(of: type)
    else { return error }
    let step =
      NearestName.of(written, among: names).map { "Perhaps \(JSONPath.quoted($0)) was meant" }
    let words = "expected one of \(names.map(JSONPath.quoted).joined(separator: ", "))"
    return .invalidField(words, at: codingPath, nextStep: step)
  }

  private static func names<Value: CaseIterable>(of type: Value.Type) -> [String]? {
    let names = Value.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
    return names.isEmpty ? nil : names
  }
}

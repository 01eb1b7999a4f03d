internal import HybridCore

/// A value of an answer with its place there, for telling which field cannot be read.
///
/// What is missing or null is absent. What is there and of another type than the protocol's is part
/// of an answer that would be lost: an error, never silence.
struct WireShape {
  /// `protocol.badEventStream` in a stream, `protocol.badJSON` in a whole answer.
  var code: ErrorCode
  /// Such as `choices[0].delta.content`. Made of the protocol's own names.
  var path: String
  var value: JSONValue?

  init(_ value: JSONValue?, code: ErrorCode, path: String = "") {
    self.value = value
    self.code = code
    self.path = path
  }

  subscript(key: String) -> WireShape {
    WireShape(value?[key], code: code, path: path.isEmpty ? key : "\(path).\(key)")
  }

  var isAbsent: Bool { value == nil || value == .null }

  func string() throws(HybridError) -> String? {
    if isAbsent { return nil }
    guard let text = value?.string else { throw wrongType("a text") }
    return text
  }

  /// The members of an array; none where it is absent.
  func list() throws(HybridError) -> [WireShape] {
    if isAbsent { return [] }
    guard let values = value?.array else { throw wrongType("a list") }
    return values.enumerated().map { index, value in
      WireShape(value, code: code, path: "\(path)[\(index)]")
    }
  }

  /// Itself, if it is an object.
  func object() throws(HybridError) -> WireShape {
    guard value?.object != nil else { throw wrongType("an object") }
    return self
  }

  /// The answer says that it ends with tool calls, and there are none.
  func missing() -> HybridError {
    .unreadable(path, "is empty, though the answer says that it ends with tool calls", code: code)
  }

  /// The same of a stream, whose pieces together had none.
  static var missingCalls: HybridError {
    WireShape(nil, code: .badEventStream)["choices[0].delta.tool_calls"].missing()
  }

  func wrongType(_ wanted: String) -> HybridError {
    let type =
      switch value {
      case nil: "missing"
      case .null: "null"
      case .bool: "true or false"
      case .number: "a number"
      case .string: "a text"
      case .array: "a list"
      case .object: "an object"
      }
    return .unreadable(path, "is \(type), not \(wanted)", code: code)
  }
}

extension HybridError {
  fileprivate static func unreadable(
    _ field: String, _ what: String, code: ErrorCode
  ) -> HybridError {
    HybridError(
      code, "the gateway's answer cannot be read: \(field) \(what)",
      nextStep: "Try again; if it recurs report it to the gateway's maker",
      details: ["field": .string(field)], side: .remote)
  }
}

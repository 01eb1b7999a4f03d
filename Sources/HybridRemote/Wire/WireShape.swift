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

  /// A choice's number that another one has.
  func twice(_ index: Int) -> HybridError {
    .unreadable(path, "is \(index), as another choice's is", code: code)
  }

  /// The answer says that it ends with tool calls, and there are none.
  func missing() -> HybridError {
    .unreadable(path, "is empty, though the answer says that it ends with tool calls", code: code)
  }

  /// The same of a stream, whose pieces together had none.
  static func missingCalls(ofChoice index: Int) -> HybridError {
    WireShape(nil, code: .badEventStream)["choices[\(index)].delta.tool_calls"].missing()
  }

  /// A choice has a number that none of those asked for has.
  static func strangeChoice(
    _ index: Int, at place: Int, of asked: Int, code: ErrorCode = .badEventStream
  ) -> HybridError {
    let wanted = asked == 1 ? "0" : "0 to \(asked - 1)"
    return .unreadable("choices[\(place)].index", "is \(index), not \(wanted)", code: code)
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
  /// A gateway that passes over the number of choices asked for cannot do it, whatever it accepted.
  static func tooFewChoices(_ given: Int, of asked: Int) -> HybridError {
    HybridError(
      .unsupportedFeature, "the gateway gave \(given) of the \(asked) choices asked for",
      nextStep: "Ask for one, or name `choices` in its profile's `lacks`, so that a plan knows",
      details: [
        "features": [.string(Feature.choices.rawValue)], "asked": .int(asked), "given": .int(given),
      ], side: .remote)
  }

  fileprivate static func unreadable(
    _ field: String, _ what: String, code: ErrorCode
  ) -> HybridError {
    HybridError(
      code, "the gateway's answer cannot be read: \(field) \(what)",
      nextStep: "Try again; if it recurs report it to the gateway's maker",
      details: ["field": .string(field)], side: .remote)
  }
}

package import HybridCore

/// Why something on the wire between a worker and its parent is not what it should be. Names fields,
/// never their content.
package struct WireError: Error, Sendable, Hashable {
  package let problem: String

  package init(_ problem: String) {
    self.problem = problem
  }
}

/// A value with a form on the wire: JSON in which every field stands, null where there is none, so
/// that a field which one end forgets is an error at the other.
package protocol WireValue {
  var wire: JSONValue { get }

  init(wire: JSONValue) throws(WireError)
}

extension JSONValue: WireValue {
  package var wire: JSONValue { self }

  package init(wire: JSONValue) { self = wire }
}

extension JSONObject: WireValue {
  package var wire: JSONValue { .object(self) }

  package init(wire: JSONValue) throws(WireError) {
    guard let object = wire.object else { throw WireError("no object") }
    self = object
  }
}

extension String: WireValue {
  package var wire: JSONValue { .string(self) }

  package init(wire: JSONValue) throws(WireError) {
    guard let text = wire.string else { throw WireError("no text") }
    self = text
  }
}

extension Bool: WireValue {
  package var wire: JSONValue { .bool(self) }

  package init(wire: JSONValue) throws(WireError) {
    guard let flag = wire.bool else { throw WireError("neither true nor false") }
    self = flag
  }
}

extension Int: WireValue {
  package var wire: JSONValue { .int(self) }

  package init(wire: JSONValue) throws(WireError) {
    guard let number = wire.int else { throw WireError("no whole number") }
    self = number
  }
}

extension Double: WireValue {
  /// Infinities and NaN come out as null, which ``init(wire:)`` refuses.
  package var wire: JSONValue { .double(self) }

  package init(wire: JSONValue) throws(WireError) {
    guard let number = wire.double else { throw WireError("no number") }
    self = number
  }
}

extension Duration: WireValue {
  /// Seconds and attoseconds, so that nothing is rounded.
  package var wire: JSONValue {
    let (seconds, attoseconds) = components
    return [.int(Int(seconds)), .int(Int(attoseconds))]
  }

  package init(wire: JSONValue) throws(WireError) {
    guard let parts = wire.array, parts.count == 2, let seconds = parts[0].int,
      let attoseconds = parts[1].int,
      (-999_999_999_999_999_999...999_999_999_999_999_999)
        .contains(attoseconds)
    else { throw WireError("no duration") }
    self.init(secondsComponent: Int64(seconds), attosecondsComponent: Int64(attoseconds))
  }
}

extension Optional: WireValue where Wrapped: WireValue {
  package var wire: JSONValue { map(\.wire) ?? .null }

  package init(wire: JSONValue) throws(WireError) {
    self = try wire == .null ? nil : Wrapped(wire: wire)
  }
}

extension Array: WireValue where Element: WireValue {
  package var wire: JSONValue { .array(map(\.wire)) }

  package init(wire: JSONValue) throws(WireError) {
    guard let values = wire.array else { throw WireError("no list") }
    self = []
    reserveCapacity(values.count)
    for value in values { append(try Element(wire: value)) }
  }
}

extension WireValue where Self: RawRepresentable, RawValue == String {
  package var wire: JSONValue { .string(rawValue) }

  package init(wire: JSONValue) throws(WireError) {
    guard let text = wire.string, let value = Self(rawValue: text) else {
      throw WireError("no known word")
    }
    self = value
  }
}

extension ChatRole: WireValue {}
extension ErrorCode: WireValue {}
extension Feature: WireValue {}
extension FinishReason: WireValue {}
extension Preference: WireValue {}
extension SensitivityTag: WireValue {}
extension Side: WireValue {}

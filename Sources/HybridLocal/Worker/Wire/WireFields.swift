package import HybridCore

/// The fields of an object on the wire: exactly those that are known.
///
/// What a child tells is read with the narrow readers, so that no number of its can overflow a sum of
/// the parent's.
package struct WireFields {
  private let object: JSONObject

  /// - Parameter known: every field that it must have; it may have no other.
  package init(_ value: JSONValue, _ known: String...) throws(WireError) {
    guard let object = value.object else { throw WireError("no object") }
    guard object.members.count == known.count else { throw WireError("other fields than known") }
    self.object = object
    for key in known where object[key] == nil { throw WireError("no \(key)") }
  }

  private func value<Value>(
    _ key: String, _ read: (JSONValue) throws(WireError) -> Value
  ) throws(WireError) -> Value {
    guard let value = object[key] else { throw WireError("no \(key)") }
    do throws(WireError) {
      return try read(value)
    } catch {
      throw WireError("\(key): \(error.problem)")
    }
  }

  package subscript<Value: WireValue>(key: String) -> Value {
    get throws(WireError) {
      try value(key) { (wire) throws(WireError) in try Value(wire: wire) }
    }
  }

  /// A number of things: 0 to 2^53.
  package func count(_ key: String) throws(WireError) -> Int {
    try value(key) { (wire) throws(WireError) in try Self.count(wire) }
  }

  package func optionalCount(_ key: String) throws(WireError) -> Int? {
    try value(key) { (wire) throws(WireError) in
      try wire == .null ? nil : Self.count(wire)
    }
  }

  private static func count(_ wire: JSONValue) throws(WireError) -> Int {
    let count = try Int(wire: wire)
    guard (0...(1 << 53)).contains(count) else { throw WireError("out of range") }
    return count
  }

  /// A length of time: 0 to 30,000 years.
  package func time(_ key: String) throws(WireError) -> Duration {
    try value(key) { (wire) throws(WireError) in try Self.time(wire) }
  }

  package func optionalTime(_ key: String) throws(WireError) -> Duration? {
    try value(key) { (wire) throws(WireError) in
      try wire == .null ? nil : Self.time(wire)
    }
  }

  private static func time(_ wire: JSONValue) throws(WireError) -> Duration {
    let time = try Duration(wire: wire)
    guard (.zero ... .seconds(1_000_000_000_000)).contains(time) else {
      throw WireError("out of range")
    }
    return time
  }

  /// A part of a whole: 0…1.
  package func optionalShare(_ key: String) throws(WireError) -> Double? {
    try value(key) { (wire) throws(WireError) in
      guard let share = try Double?(wire: wire) else { return nil }
      guard (0...1).contains(share) else { throw WireError("out of range") }
      return share
    }
  }
}

/// A value of a kind that has a name: an object with one member, named so.
package struct WireCase {
  package let name: String
  package let payload: JSONValue

  package init(_ value: JSONValue) throws(WireError) {
    guard let object = value.object, object.members.count == 1, let member = object.members.first
    else { throw WireError("no single kind") }
    name = member.key
    payload = member.value
  }

  package static func wire(_ name: String, _ payload: some WireValue) -> JSONValue {
    var object = JSONObject()
    object[name] = payload.wire
    return .object(object)
  }

  package var unknown: WireError { WireError("an unknown kind") }

  package func read<Value: WireValue>(_ type: Value.Type = Value.self) throws(WireError) -> Value {
    do throws(WireError) {
      return try Value(wire: payload)
    } catch {
      throw WireError("\(name): \(error.problem)")
    }
  }
}

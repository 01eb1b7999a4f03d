/// Any JSON value, exactly as written: numbers keep their digits and objects their order.
///
/// Used wherever a field is passed through without being understood (a gateway's unknown fields,
/// tool schemas, the details of an error).
public enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

/// A JSON number by its literal, so that no digit is lost: 2^53 + 1 stays what it is.
public struct JSONNumber: Sendable, Hashable {
  public let literal: String

  /// - Parameter literal: must be a JSON number; the reader and the other initialisers see to it.
  package init(uncheckedLiteral literal: String) {
    self.literal = literal
  }

  public init(_ value: Int) {
    literal = String(value)
  }

  /// - Returns: nil for infinities and NaN, which JSON cannot write.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    // Swift prints the shortest text that reads back as the same Double.
    literal = value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
  }

  /// The value where the literal is a whole number that fits.
  public var int: Int? { Int(literal) ?? double.flatMap { Int(exactly: $0) } }

  /// The nearest Double; nil where it would overflow.
  public var double: Double? {
    guard let value = Double(literal), value.isFinite else { return nil }
    return value
  }
}

/// A JSON object: members in the order written; of repeated keys the last one counts.
public struct JSONObject: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  public struct Member: Sendable, Hashable {
    public var key: String
    public var value: JSONValue
  }

  public private(set) var members: [Member] = []

  public init() {}

  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    for (key, value) in elements { self[key] = value }
  }

  /// Setting nil removes the member. Look-up is linear: objects here have a few dozen members.
  public subscript(key: String) -> JSONValue? {
    get { members.last { $0.key == key }?.value }
    set {
      let place = members.lastIndex { $0.key == key }
      switch (place, newValue) {
      case (let place?, let value?): members[place].value = value
      case (let place?, nil): members.remove(at: place)
      case (nil, let value?): members.append(Member(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  public var isEmpty: Bool { members.isEmpty }
  public var keys: [String] { members.map(\.key) }

  /// For the reader, which has already seen to repeated keys.
  package init(uncheckedMembers members: [Member]) {
    self.members = members
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .int(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(nilLiteral: ()) { self = .null }
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    var object = JSONObject()
    for (key, value) in elements { object[key] = value }
    self = .object(object)
  }

  public static func int(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }

  /// Infinities and NaN become null.
  public static func double(_ value: Double) -> JSONValue {
    JSONNumber(value).map { .number($0) } ?? .null
  }

  /// Seconds, the unit of every time that HybridKit writes.
  public static func seconds(_ value: Duration) -> JSONValue { .double(value.inSeconds) }

  public static func optional(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
  public static func optional(_ value: Int?) -> JSONValue { value.map { .int($0) } ?? .null }
  public static func optional(_ value: Duration?) -> JSONValue {
    value.map { .seconds($0) } ?? .null
  }
}

extension JSONValue {
  /// The member of an object; nil for any other value.
  public subscript(key: String) -> JSONValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  public var string: String? { if case .string(let text) = self { text } else { nil } }
  public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }
  public var int: Int? { if case .number(let number) = self { number.int } else { nil } }
  public var double: Double? { if case .number(let number) = self { number.double } else { nil } }
  public var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
  public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
}

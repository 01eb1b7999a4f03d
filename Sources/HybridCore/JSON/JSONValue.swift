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

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral,
  ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
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

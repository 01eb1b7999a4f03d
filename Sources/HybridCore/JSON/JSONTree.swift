/// What the parser builds: plain values for the wire, values with their places for files.
protocol JSONTree {
  associatedtype Value
  associatedtype Member

  static func null(at offset: Int) -> Value
  static func bool(_ value: Bool, at offset: Int) -> Value
  static func number(_ literal: String, at offset: Int) -> Value
  static func string(_ text: String, at offset: Int) -> Value
  static func array(_ elements: [Value], at offset: Int) -> Value
  static func object(_ members: [Member], at offset: Int) -> Value

  static func member(key: String, at offset: Int, value: Value) -> Member
  static func key(of member: Member) -> String
}

enum JSONValueTree: JSONTree {
  static func null(at offset: Int) -> JSONValue { .null }
  static func bool(_ value: Bool, at offset: Int) -> JSONValue { .bool(value) }
  static func number(_ literal: String, at offset: Int) -> JSONValue {
    .number(JSONNumber(uncheckedLiteral: literal))
  }
  static func string(_ text: String, at offset: Int) -> JSONValue { .string(text) }
  static func array(_ elements: [JSONValue], at offset: Int) -> JSONValue { .array(elements) }
  static func object(_ members: [JSONObject.Member], at offset: Int) -> JSONValue {
    .object(JSONObject(uncheckedMembers: members))
  }

  static func member(key: String, at offset: Int, value: JSONValue) -> JSONObject.Member {
    JSONObject.Member(key: key, value: value)
  }
  static func key(of member: JSONObject.Member) -> String { member.key }
}

enum JSONNodeTree: JSONTree {
  static func null(at offset: Int) -> JSONNode { JSONNode(.null, offset) }
  static func bool(_ value: Bool, at offset: Int) -> JSONNode { JSONNode(.bool(value), offset) }
  static func number(_ literal: String, at offset: Int) -> JSONNode {
    JSONNode(.number(JSONNumber(uncheckedLiteral: literal)), offset)
  }
  static func string(_ text: String, at offset: Int) -> JSONNode {
    JSONNode(.string(text), offset)
  }
  static func array(_ elements: [JSONNode], at offset: Int) -> JSONNode {
    JSONNode(.array(elements), offset)
  }
  static func object(_ members: [JSONNode.Member], at offset: Int) -> JSONNode {
    JSONNode(.object(members), offset)
  }

  static func member(key: String, at offset: Int, value: JSONNode) -> JSONNode.Member {
    JSONNode.Member(key: key, keyOffset: offset, value: value)
  }
  static func key(of member: JSONNode.Member) -> String { member.key }
}

import Foundation
import HybridCore
import Testing

@Suite struct JSONValueCodableTests {
  static let value: JSONValue = [
    "text": "é\n", "flag": true, "none": nil, "list": [1, -2, 0.5, [], [:]],
    "large": .number(JSONNumber(uncheckedLiteral: "18446744073709551615")),
  ]

  @Test func `a value survives Foundation's coders`() throws {
    let data = try JSONEncoder().encode(Self.value)
    let decoded = try JSONDecoder().decode(JSONValue.self, from: data)
    #expect(decoded.sorted == Self.value.sorted)
  }

  @Test func `an object survives Foundation's coders`() throws {
    let object = try #require(Self.value.object)
    let data = try JSONEncoder().encode(["o": object])
    let decoded = try JSONDecoder().decode([String: JSONObject].self, from: data)
    #expect(decoded["o"].map(JSONValue.object)?.sorted == Self.value.sorted)
  }

  @Test func `a number beyond Double's range is an encoding error, not another number`() {
    let value = JSONValue.array([.number(JSONNumber(uncheckedLiteral: "1e400"))])
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(value) }
  }

  @Test func `the file decoder keeps order and digits`() throws {
    struct Holder: Decodable {
      let schema: JSONValue
      let list: [JSONValue]
      let object: JSONObject
      let absent: JSONValue?
      let null: JSONValue?
    }
    let text =
      #"{"list":[1.50,null],"schema":{"z":1,"a":9007199254740993},"object":{"y":[]},"null":null}"#
    let holder = try JSONFileDecoder(name: "f").decode(Holder.self, from: text)
    #expect(JSONWriter.compact.string(holder.schema) == #"{"z":1,"a":9007199254740993}"#)
    #expect(JSONWriter.compact.string(.array(holder.list)) == "[1.50,null]")
    #expect(holder.object.keys == ["y"])
    #expect(holder.absent == nil)
    #expect(holder.null == nil)
  }
}

extension JSONValue {
  /// Members by name: Foundation keeps no order.
  fileprivate var sorted: JSONValue {
    switch self {
    case .array(let elements): return .array(elements.map(\.sorted))
    case .object(let object):
      var sorted = JSONObject()
      for member in object.members.sorted(by: { $0.key < $1.key }) {
        sorted[member.key] = member.value.sorted
      }
      return .object(sorted)
    default: return self
    }
  }
}

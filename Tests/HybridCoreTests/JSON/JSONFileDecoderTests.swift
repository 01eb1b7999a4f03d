import Foundation
import HybridCore
import Testing

@Suite struct JSONFileDecoderTests {
  struct Policy: Codable, Equatable {
    var preference: Preference
    var reserved: Int
    var limits: Limits?
    var messages: [Message]

    struct Limits: Codable, Equatable {
      var share: Double
      var small: UInt8
    }

    struct Message: Codable, Equatable {
      var role: String
      var content: String

      enum CodingKeys: String, CodingKey, CaseIterable {
        case role
        case content
      }

      init(from decoder: any Decoder) throws {
        try decoder.refuseUnknownKeys(known: CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        role = try container.decode(String.self, forKey: .role)
        content = try container.decode(String.self, forKey: .content)
        if role.isEmpty { throw container.invalidField("must not be empty", forKey: .role) }
      }
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
      case preference
      case reserved
      case limits
      case messages
    }

    init(from decoder: any Decoder) throws {
      try decoder.refuseUnknownKeys(known: CodingKeys.self)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      preference = try container.decode(Preference.self, forKey: .preference)
      reserved = try container.decodeIfPresent(Int.self, forKey: .reserved) ?? 512
      limits = try container.decodeIfPresent(Limits.self, forKey: .limits)
      messages = try container.decode([Message].self, forKey: .messages)
    }
  }

  static let sound = """
    {
      "preference": "localOnly",
      "limits": {"share": 1e-1, "small": 255},
      "messages": [
        {"role": "user", "content": "SECRET one"},
        {"content": "SECRET two", "role": "assistant"}
      ]
    }
    """

  @Test func `a sound file is decoded`() throws {
    let policy = try JSONFileDecoder(name: "p").decode(Policy.self, from: Self.sound)
    #expect(policy.preference == .localOnly)
    #expect(policy.limits == Policy.Limits(share: 0.1, small: 255))
    #expect(policy.messages.map(\.role) == ["user", "assistant"])
    // The same type with Foundation's decoder.
    let other = try JSONDecoder().decode(Policy.self, from: Data(Self.sound.utf8))
    #expect(other == policy)
  }

  /// What to replace in the sound file, by what, and what is said of it.
  static let faults:
    [(old: String, new: String, path: String, line: Int, column: Int, words: String)] = [
      (
        "\"user\"", "7", "messages[0].role", 5, 14,
        "expected a text, found a whole number. Correct the file at that place."
      ),
      (
        "\"user\"", "null", "messages[0].role", 5, 14,
        "expected a text, found null. Correct the file at that place."
      ),
      (
        "\"user\"", "\"\"", "messages[0].role", 5, 14,
        "must not be empty. Correct the file at that place."
      ),
      (
        ", \"role\": \"assistant\"", "", "messages[1].role", 6, 5, "is missing. Add it."
      ),
      (
        "\"role\": \"assistant\"", "\"rôle\": \"a\"", "messages[1][\"rôle\"]", 6, 31,
        "unknown field. Perhaps \"role\" was meant."
      ),
      (
        "\"limits\"", "\"zzz\"", "zzz", 3, 3,
        "unknown field. The known fields are \"preference\", \"reserved\", \"limits\", \"messages\"."
      ),
      (
        "\"localOnly\"", "\"localonly\"", "preference", 2, 17,
        "expected one of \"preferLocal\", \"localOnly\", \"preferRemote\", \"remoteOnly\". "
          + "Perhaps \"localOnly\" was meant."
      ),
      (
        "\"localOnly\"", "\"SECRET\"", "preference", 2, 17,
        "expected one of \"preferLocal\", \"localOnly\", \"preferRemote\", \"remoteOnly\". "
          + "Correct the file at that place."
      ),
      (
        "\"localOnly\"", "true", "preference", 2, 17,
        "expected a text, found true. Correct the file at that place."
      ),
      (
        "255", "256", "limits.small", 3, 38,
        "expected a whole number from 0 to 255. Correct the file at that place."
      ),
      (
        "255", "-1", "limits.small", 3, 38,
        "expected a whole number from 0 to 255. Correct the file at that place."
      ),
      (
        "255", "2.5", "limits.small", 3, 38,
        "expected a whole number, found a number with a fraction. Correct the file at that place."
      ),
      (
        "1e-1", "1e999", "limits.share", 3, 23,
        "the number is too large. Correct the file at that place."
      ),
      (
        "1e-1", "\"SECRET\"", "limits.share", 3, 23,
        "expected a number, found a text. Correct the file at that place."
      ),
      (
        "{\"share\": 1e-1, \"small\": 255}", "[]", "limits", 3, 13,
        "expected an object, found an empty list. Correct the file at that place."
      ),
    ]

  @Test(arguments: faults)
  func `a wrong field is named with its path, line and column`(
    old: String, new: String, path: String, line: Int, column: Int, words: String
  ) throws {
    let text = Self.sound.replacingOccurrences(of: old, with: new)
    let error = try #require(throws: HybridError.self) {
      try JSONFileDecoder(name: "policy.json").decode(Policy.self, from: text)
    }
    #expect(error.code == .invalidFile)
    #expect(error.details["path"] == .string(path))
    #expect(error.details["line"]?.int == line)
    #expect(error.details["column"]?.int == column)
    #expect(error.details["file"] == "policy.json")
    #expect(
      error.description
        == "invalidFile: policy.json, line \(line), column \(column): \(path): \(words)")
    #expect(!"\(error) \(error.details) \(error)".contains("SECRET"))
  }

  @Test func `an unknown key is refused by Foundation's decoder too`() {
    let text = Self.sound.replacingOccurrences(of: "\"limits\"", with: "\"limit\"")
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Policy.self, from: Data(text.utf8))
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("not dataCorrupted: \(String(describing: error))")
      return
    }
    #expect(context.debugDescription == "unknown field: Perhaps \"limits\" was meant")
  }

  @Test func `broken syntax is named with line and column`() throws {
    let text = Self.sound.replacingOccurrences(of: "\"limits\":", with: "\"limits\"")
    let error = try #require(throws: HybridError.self) {
      try JSONFileDecoder(name: "policy.json").decode(Policy.self, from: text)
    }
    #expect(
      error.description
        == "invalidFile: policy.json is not JSON: line 3, column 12: "
        + "expected \":\" after the key, found {. Correct the file at that place.")
    #expect(error.details["line"] == 3)
    #expect(error.details["column"] == 12)
    #expect(!"\(error)".contains("SECRET"))
  }

  @Test func `the wrong kind of file is named as a whole`() throws {
    let error = try #require(throws: HybridError.self) {
      try JSONFileDecoder(name: "p").decode(Policy.self, from: "\n [1]")
    }
    #expect(error.message == "p, line 2, column 2: the whole: expected an object, found a list")
  }

  struct Careless: Decodable {
    struct Own: Error {}
    init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      switch text {
      case "own": throw Own()
      case "hybrid": throw HybridError(.invalidRequest, "must be shorter", nextStep: "Cut it")
      default:
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: decoder.codingPath, debugDescription: "bad value \(text)"))
      }
    }
  }

  @Test(arguments: [
    ("own", "f, line 1, column 8: a[0]: cannot be used"),
    ("hybrid", "f, line 1, column 8: a[0]: must be shorter"),
    ("SECRET", "f, line 1, column 8: a[0]: cannot be used"),
  ])
  func `an error of a type's own is placed, and its words are shown only if they hold no value`(
    value: String, message: String
  ) throws {
    let error = try #require(throws: HybridError.self) {
      try JSONFileDecoder(name: "f").decode(
        [String: [Careless]].self, from: "{\"a\": [\"\(value)\"]}")
    }
    #expect(error.message == message)
  }

  struct Either: Decodable {
    var texts: [String]
    init(from decoder: any Decoder) throws {
      if let text = try? decoder.singleValueContainer().decode(String.self) {
        texts = [text]
        return
      }
      var parts = try decoder.unkeyedContainer()
      texts = []
      while !parts.isAtEnd {
        if try parts.decodeNil() { continue }
        if let number = try? parts.decode(Int.self) {
          texts.append("\(number)")
        } else {
          texts.append(try parts.decode(String.self))
        }
      }
    }
  }

  @Test func `a type may try one shape after another`() throws {
    let decoder = JSONFileDecoder(name: "f")
    #expect(try decoder.decode(Either.self, from: "\"a\"").texts == ["a"])
    #expect(try decoder.decode(Either.self, from: "[1, null, \"b\"]").texts == ["1", "b"])
  }

  class Base: Decodable {
    let base: Int
  }
  final class Derived: Base {
    let own: [[Int]]
    let map: [String: Float]
    enum Keys: String, CodingKey {
      case own
      case map
      case nested
    }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      var rows = try container.nestedUnkeyedContainer(forKey: .own)
      var own: [[Int]] = []
      while !rows.isAtEnd {
        var row = try rows.nestedUnkeyedContainer()
        var numbers: [Int] = []
        while !row.isAtEnd { numbers.append(try row.decode(Int.self)) }
        own.append(numbers)
      }
      self.own = own
      let nested = try container.nestedContainer(keyedBy: Keys.self, forKey: .nested)
      map = try nested.decode([String: Float].self, forKey: .map)
      try super.init(from: container.superDecoder())
    }
  }

  @Test func `nested containers and classes are decoded`() throws {
    let text = #"{"own":[[1,2],[]],"nested":{"map":{"x":0.5}},"super":{"base":3}}"#
    let derived = try JSONFileDecoder(name: "f").decode(Derived.self, from: text)
    #expect(derived.own == [[1, 2], []])
    #expect(derived.map == ["x": 0.5])
    #expect(derived.base == 3)
    let error = try #require(throws: HybridError.self) {
      try JSONFileDecoder(name: "f").decode(
        Derived.self, from: text.replacingOccurrences(of: "2]", with: "null]"))
    }
    #expect(error.details["path"] == "own[0][1]")
  }

  @Test func `a sound file is decoded the same at every width of integer`() throws {
    struct Widths: Decodable, Equatable {
      var a: Int8, b: Int16, c: Int32, d: Int64, e: UInt, f: UInt16, g: UInt32, h: UInt64, i: Float
    }
    let text = """
      {"a":-128,"b":-32768,"c":-2147483648,"d":-9223372036854775808,"e":18446744073709551615,
       "f":65535,"g":4294967295,"h":1e3,"i":1.5}
      """
    let widths = try JSONFileDecoder(name: "f").decode(Widths.self, from: text)
    #expect(
      widths
        == Widths(
          a: .min, b: .min, c: .min, d: .min, e: .max, f: .max, g: .max, h: 1000, i: 1.5))
  }

  @Test(arguments: [
    ("prefrence", "preference"), ("perference", "preference"), ("PREFERENCE", "preference"),
    ("reserve", "reserved"), ("limit", "limits"), ("mesages", "messages"), ("zzz", nil),
    ("", nil), ("temperature", nil),
  ])
  func `the nearest known name is found, and none is invented`(written: String, name: String?) {
    #expect(
      NearestName.of(written, among: ["preference", "reserved", "limits", "messages"]) == name)
  }

  @Test func `a key's name cannot move the cursor or flood the terminal`() throws {
    let name = "\u{1B}[2J\u{202E}" + String(repeating: "x", count: 200)
    let text = "{\"\(name.replacingOccurrences(of: "\u{1B}", with: "\\u001b"))\": 1}"
    let error = try #require(throws: HybridError.self) {
      try JSONFileDecoder(name: "p").decode(Policy.self, from: text)
    }
    #expect(!error.description.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    #expect(error.message.count < 160)
  }
}

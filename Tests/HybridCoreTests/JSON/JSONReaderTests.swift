import HybridCore
import Testing

@Suite struct JSONReaderTests {
  static let valid: [(text: String, value: JSONValue)] = [
    ("null", nil), ("true", true), ("false", false), (" \t\r\n 1 \n", 1),
    ("0", 0), ("-0", .number(number("-0"))), ("1234567890", 1_234_567_890),
    ("-1.5e+10", .number(number("-1.5e+10"))), ("1E400", .number(number("1E400"))),
    ("123456789012345678901234567890", .number(number("123456789012345678901234567890"))),
    ("0.1e-2", .number(number("0.1e-2"))), ("0e0", .number(number("0e0"))),
    (#""""#, ""), (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#""\u0041\u00e9\u20AC""#, "Aé€"), (#""\u0000""#, "\0"), (#""\uD83D\uDE00""#, "😀"),
    (#""\ud834\udd1e\u0020""#, "𝄞 "), (#""é€😀\u0301""#, "é€😀\u{301}"), ("\"\u{7F}\"", "\u{7F}"),
    ("\"\u{2028}\u{2029}\u{FEFF}\"", "\u{2028}\u{2029}\u{FEFF}"), (#""//#/*""#, "//#/*"),
    ("[]", []), ("[ ]", []), ("{}", [:]), ("{ }", [:]), ("[1]", [1]), ("[1,2 , 3]", [1, 2, 3]),
    ("[[],[[]],{}]", [[], [[]], [:]]), (#"{"a":1}"#, ["a": 1]),
    (#"{"":0,"b":{"c":[null]}}"#, ["": 0, "b": ["c": [nil]]]),
    (#"{"a" : 1 , "b" : [ { } ] }"#, ["a": 1, "b": [[:]]]),
    ("\u{FEFF}[true]", [true]), (#"{"\u0061":1}"#, ["a": 1]),
  ]

  @Test(arguments: valid)
  func `a text that RFC 8259 allows is read`(text: String, value: JSONValue) throws {
    #expect(try JSONReader.wire.read(text) == value)
    #expect(try JSONReader.file.read(text) == value)
    #expect(try JSONReader.file.readDocument(text).root.value == value)
  }

  static let invalid: [(text: String, line: Int, column: Int, problem: JSONSyntaxError.Problem)] = [
    ("", 1, 1, .empty), (" \n ", 2, 2, .empty), ("\u{FEFF}", 1, 1, .empty),
    ("[", 1, 2, unfinished(.list, 1, 1, 0)), ("{", 1, 2, unfinished(.object, 1, 1, 0)),
    ("[1,\n 2", 2, 3, unfinished(.list, 1, 1, 0)),
    ("{\"a\"", 1, 5, unfinished(.object, 1, 1, 0)),
    ("{\"a\":", 1, 6, unfinished(.object, 1, 1, 0)),
    ("{\"a\":1", 1, 7, unfinished(.object, 1, 1, 0)),
    ("{\"a\":1,", 1, 8, unfinished(.object, 1, 1, 0)),
    ("[\n  \"abc", 2, 7, unfinished(.text, 2, 3, 4)), ("\"\\", 1, 3, unfinished(.text, 1, 1, 0)),
    ("\"\\u12", 1, 6, unfinished(.text, 1, 1, 0)), ("-", 1, 2, unfinished(.number, 1, 1, 0)),
    ("1.", 1, 3, unfinished(.number, 1, 1, 0)), ("1e", 1, 3, unfinished(.number, 1, 1, 0)),
    ("tru", 1, 4, unfinished(.word, 1, 1, 0)),
    ("[1,]", 1, 4, .trailingComma), ("{\"a\":1,}", 1, 8, .trailingComma),
    ("[,1]", 1, 2, .unexpected(.punctuation(","), expected: .value)),
    ("[1,,2]", 1, 4, .unexpected(.punctuation(","), expected: .value)),
    ("[1 2]", 1, 4, .unexpected(.digit, expected: .commaOrEndOfList)),
    ("[1}", 1, 3, .unexpected(.punctuation("}"), expected: .commaOrEndOfList)),
    ("{\"a\":1]", 1, 7, .unexpected(.punctuation("]"), expected: .commaOrEndOfObject)),
    ("{\"a\" 1}", 1, 6, .unexpected(.digit, expected: .colon)),
    ("{\"a\":}", 1, 6, .unexpected(.punctuation("}"), expected: .value)),
    ("{a:1}", 1, 2, .unexpected(.letter, expected: .key)),
    ("{1:1}", 1, 2, .unexpected(.digit, expected: .key)),
    ("{'a':1}", 1, 2, .unexpected(.punctuation("'"), expected: .key)),
    ("'a'", 1, 1, .unexpected(.punctuation("'"), expected: .value)),
    ("]", 1, 1, .unexpected(.punctuation("]"), expected: .value)),
    ("[\u{A0}1]", 1, 2, .unexpected(.other, expected: .value)),
    ("[1]]", 1, 4, .textAfterEnd), ("1 2", 1, 3, .textAfterEnd), ("{}\n{}", 2, 1, .textAfterEnd),
    ("nullx", 1, 1, .unknownWord), ("True", 1, 1, .unknownWord), ("NaN", 1, 1, .unknownWord),
    ("[Infinity]", 1, 2, .unknownWord), ("true1", 1, 1, .unknownWord),
    ("// c\n1", 1, 1, .comment), ("[1 /* c */]", 1, 4, .comment), ("1 # c", 1, 3, .comment),
    ("{\"a\":1, // c\n}", 1, 9, .comment),
    ("01", 1, 1, .leadingZero), ("-01", 1, 1, .leadingZero), ("[00]", 1, 2, .leadingZero),
    ("+1", 1, 1, .malformedNumber), (".5", 1, 1, .malformedNumber),
    ("1.e1", 1, 1, .malformedNumber),
    ("[1.]", 1, 2, .malformedNumber), ("1e+]", 1, 1, .malformedNumber),
    ("0x10", 1, 1, .malformedNumber), ("1.2.3", 1, 1, .malformedNumber),
    ("--1", 1, 1, .malformedNumber), ("-Infinity", 1, 1, .malformedNumber),
    ("1e1.5", 1, 1, .malformedNumber), ("1a", 1, 1, .malformedNumber),
    ("\"\\x\"", 1, 2, .badEscape), ("\"\\u12G4\"", 1, 2, .badEscape), ("\"\\'\"", 1, 2, .badEscape),
    ("\"\\U0041\"", 1, 2, .badEscape),
    ("\"a\nb\"", 1, 3, .controlCharacter), ("\"\t\"", 1, 2, .controlCharacter),
    ("\"\0\"", 1, 2, .controlCharacter),
  ]

  @Test(arguments: invalid)
  func `a text that RFC 8259 forbids is refused at its place`(
    text: String, line: Int, column: Int, problem: JSONSyntaxError.Problem
  ) {
    for reader in [JSONReader.wire, .file] {
      let error = #expect(throws: JSONSyntaxError.self) { try reader.read(text) }
      #expect(error?.line == line)
      #expect(error?.column == column)
      #expect(error?.problem == problem)
    }
  }

  static let places: [(text: String, line: Int, column: Int, offset: Int)] = [
    ("[\n\n  x]", 3, 3, 5), ("[\r\n  x]", 2, 3, 5), ("[\r  x]", 2, 3, 4),
    ("[\n\r  x]", 3, 3, 5), ("[\"é\", x]", 1, 7, 7), ("[\"👩‍👩‍👧\", x]", 1, 7, 23),
    ("[\"e\u{301}\", x]", 1, 7, 8), ("\u{FEFF}[x]", 1, 2, 4), ("\u{FEFF}[\nx]", 2, 1, 5),
    ("[\"\u{2028}\", x]", 1, 7, 8),
  ]

  @Test(arguments: places)
  func `lines and columns are counted as an editor counts them`(
    text: String, line: Int, column: Int, offset: Int
  ) {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONReader.file.read(text) }
    #expect(error?.line == line)
    #expect(error?.column == column)
    #expect(error?.offset == offset)
  }

  static let malformed: [(bytes: [UInt8], wire: String, offset: Int)] = [
    ([0xFF], "\u{FFFD}", 1), ([0x61, 0xC3], "a\u{FFFD}", 2), ([0xC3, 0x28], "\u{FFFD}(", 1),
    ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}", 1), ([0xC0, 0xAF], "\u{FFFD}\u{FFFD}", 1),
    ([0x61, 0xF4, 0x90, 0x80, 0x80], "a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}", 2),
    (Array("é".utf8) + [0x80], "é\u{FFFD}", 3),
    // An escape does not complete a character.
    ([0xC3] + Array("\\u00e9".utf8), "\u{FFFD}é", 1),
    (Array("\\n".utf8) + [0xE2, 0x82], "\n\u{FFFD}", 3),
  ]

  @Test(arguments: malformed)
  func `bytes that are not UTF-8 are replaced on the wire and refused in files`(
    bytes: [UInt8], wire: String, offset: Int
  ) throws {
    let text = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
    #expect(try JSONReader.wire.read(text) == .string(wire))
    let error = #expect(throws: JSONSyntaxError.self) { try JSONReader.file.read(text) }
    #expect(error?.problem == .invalidUTF8)
    #expect(error?.offset == offset)
  }

  @Test(arguments: [
    (#"\ud800"#, "\u{FFFD}"), (#"\udc00"#, "\u{FFFD}"), (#"\ud83dx"#, "\u{FFFD}x"),
    (#"\ude00\ud83d"#, "\u{FFFD}\u{FFFD}"), (#"\ud83d\ud83d\ude00"#, "\u{FFFD}😀"),
    (#"\ud83d\n"#, "\u{FFFD}\n"), (#"\ud83d\u0041"#, "\u{FFFD}A"),
  ])
  func `half a surrogate pair is replaced on the wire and refused in files`(
    escapes: String, wire: String
  ) throws {
    #expect(try JSONReader.wire.read("\"\(escapes)\"") == .string(wire))
    let error = #expect(throws: JSONSyntaxError.self) {
      try JSONReader.file.read("\"\(escapes)\"")
    }
    #expect(error?.problem == .loneSurrogate)
  }

  @Test func `of a repeated key the last value counts on the wire, and files refuse it`() throws {
    let text = "{\"a\":1,\n \"b\":2, \"a\":3}"
    let value = try JSONReader.wire.read(text)
    #expect(value == ["a": 3, "b": 2])
    #expect(value.object?.keys == ["a", "b"])
    let error = #expect(throws: JSONSyntaxError.self) { try JSONReader.file.read(text) }
    #expect(error?.problem == .repeatedKey("a"))
    #expect(error?.line == 2)
    #expect(error?.column == 9)
  }

  @Test func `keys are the same only by every code point`() throws {
    let composed = "\u{E9}"
    let decomposed = "e\u{301}"
    let text = "{\"\(composed)\":1,\"\(decomposed)\":2}"
    for reader in [JSONReader.wire, .file] {
      let value = try reader.read(text)
      #expect(value.object?.members.count == 2)
      #expect(value[composed] == 1)
      #expect(value[decomposed] == 2)
    }
  }

  @Test(arguments: [15, 16, 17, 40])
  func `repeated keys are found however many there are`(count: Int) throws {
    let members = (0..<count).map { "\"k\($0)\":\($0)" } + ["\"k0\":-1", "\"k\(count - 1)\":-2"]
    let text = "{" + members.joined(separator: ",") + "}"
    let value = try JSONReader.wire.read(text)
    #expect(value.object?.members.count == count)
    #expect(value["k0"] == -1)
    #expect(value["k\(count - 1)"] == -2)
    #expect(throws: JSONSyntaxError.self) { try JSONReader.file.read(text) }
  }

  static func number(_ literal: String) -> JSONNumber {
    JSONNumber(uncheckedLiteral: literal)
  }

  private static func unfinished(
    _ part: JSONSyntaxError.Part, _ line: Int, _ column: Int, _ offset: Int
  ) -> JSONSyntaxError.Problem {
    .unfinished(part, begun: JSONPosition(line: line, column: column, offset: offset))
  }
}

/// Reads JSON text by RFC 8259, strictly, and says line and column where it cannot.
///
/// Linear in the text, iterative (depth costs no stack), numbers kept as their literals, members in
/// their order. A byte-order mark before the text is passed over.
///
///     let value = try JSONReader().read(#"{"n": 9007199254740993}"#)
///     value["n"]?.int  // 9007199254740993
public struct JSONReader: Sendable {
  /// The most lists and objects inside each other. 512, as in Foundation.
  public var maximumDepth: Int

  public var repeatedKeys: RepeatedKeys
  public var malformedText: MalformedText

  /// What a second member of the same name means. Names are the same only by every code point.
  public enum RepeatedKeys: Sendable, Hashable {
    /// The last value counts, at the place of the first.
    case lastWins
    /// An error at the second.
    case refused
  }

  /// What becomes of bytes inside a text that are not UTF-8, and of `\u` escapes that name half of a
  /// surrogate pair: neither is a character.
  public enum MalformedText: Sendable, Hashable {
    /// U+FFFD takes their place, as the event-stream standard does.
    case replaced
    /// An error.
    case refused
  }

  public init(
    maximumDepth: Int = 512, repeatedKeys: RepeatedKeys = .lastWins,
    malformedText: MalformedText = .replaced
  ) {
    self.maximumDepth = maximumDepth
    self.repeatedKeys = repeatedKeys
    self.malformedText = malformedText
  }

  /// For what a gateway sends: a repeated key or a broken character must not lose an answer.
  public static let wire = JSONReader()

  /// For what people write: anything doubtful is an error with its place.
  public static let file = JSONReader(repeatedKeys: .refused, malformedText: .refused)

  public func read(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
    var parser = JSONParser<JSONValueTree>(bytes, settings: self)
    return try parser.parse()
  }

  public func read(_ text: String) throws(JSONSyntaxError) -> JSONValue {
    try read(Array(text.utf8))
  }

  /// The same, with each value's place kept.
  public func readDocument(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONDocument {
    var parser = JSONParser<JSONNodeTree>(bytes, settings: self)
    return JSONDocument(root: try parser.parse(), bytes: bytes)
  }

  public func readDocument(_ text: String) throws(JSONSyntaxError) -> JSONDocument {
    try readDocument(Array(text.utf8))
  }
}

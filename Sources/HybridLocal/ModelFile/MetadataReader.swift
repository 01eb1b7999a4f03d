/// Reads a header's keys and values; what is large is passed over.
enum MetadataReader {
  /// Keys and ordinary texts.
  private static let textLimit: UInt64 = 64 << 10
  /// One text of a vocabulary.
  private static let tokenLimit: UInt64 = 1 << 20
  /// A chat template.
  private static let templateLimit: UInt64 = 4 << 20
  /// A whole tokenizer in one text, as some converters leave it; passed over.
  private static let tokenizerLimit: UInt64 = 256 << 20
  /// Elements of an array of texts, of other arrays, and of those that are kept.
  private static let textCountLimit: UInt64 = 1 << 22
  private static let countLimit: UInt64 = 1 << 30
  private static let keptCount: UInt64 = 1_024

  static func read(_ cursor: inout GGUFCursor, count: Int) throws(ModelFileError)
    -> [String: GGUFValue]
  {
    var values: [String: GGUFValue] = [:]
    for number in 0..<count {
      let start = cursor.offset
      let key = try cursor.string(limit: textLimit, "the name of key \(number)")
      guard !key.isEmpty else {
        throw ModelFileError(.badKey, "key \(number) has no name", offset: start)
      }
      let value = try value(&cursor, key: key)
      guard values.updateValue(value, forKey: key) == nil else {
        throw ModelFileError(
          .duplicateKey, "the key \(ModelFileError.printable(key)) stands twice", offset: start,
          key: key)
      }
    }
    return values
  }

  private static func value(_ cursor: inout GGUFCursor, key: String) throws(ModelFileError)
    -> GGUFValue
  {
    let type = try type(&cursor, key: key)
    let offset = cursor.offset
    let payload: GGUFValue.Payload =
      switch type {
      case .string: try .text(text(&cursor, key: key))
      case .array: try .array(array(&cursor, key: key))
      default: try number(&cursor, type, key: key)
      }
    return GGUFValue(type: type, payload: payload, offset: offset)
  }

  private static func type(_ cursor: inout GGUFCursor, key: String) throws(ModelFileError)
    -> GGUFType
  {
    let offset = cursor.offset
    let number = try cursor.uint32("the type of \(ModelFileError.printable(key))")
    guard let type = GGUFType(rawValue: number) else {
      throw ModelFileError(
        .wrongType, "the value of \(ModelFileError.printable(key)) has the unknown type \(number)",
        offset: offset, key: key)
    }
    return type
  }

  private static func text(_ cursor: inout GGUFCursor, key: String) throws(ModelFileError)
    -> String?
  {
    let what = "the text of \(ModelFileError.printable(key))"
    if key.hasPrefix("tokenizer.chat_template") {
      return try cursor.string(limit: templateLimit, what)
    }
    if key.hasPrefix("tokenizer."), !key.hasPrefix("tokenizer.ggml.") {
      try cursor.skipString(limit: tokenizerLimit, what)
      return nil
    }
    return try cursor.string(limit: textLimit, what)
  }

  private static func number(_ cursor: inout GGUFCursor, _ type: GGUFType, key: String)
    throws(ModelFileError) -> GGUFValue.Payload
  {
    let what = "the value of \(ModelFileError.printable(key))"
    switch type {
    case .uint8: return .integer(Int64(try cursor.byte(what)))
    case .int8: return .integer(Int64(Int8(bitPattern: try cursor.byte(what))))
    case .uint16: return .integer(Int64(try cursor.uint16(what)))
    case .int16: return .integer(Int64(Int16(bitPattern: try cursor.uint16(what))))
    case .uint32: return .integer(Int64(try cursor.uint32(what)))
    case .int32: return .integer(Int64(Int32(bitPattern: try cursor.uint32(what))))
    case .int64: return .integer(Int64(bitPattern: try cursor.uint64(what)))
    case .uint64:
      let value = try cursor.uint64(what)
      return Int64(exactly: value).map { .integer($0) } ?? .hugeInteger(value)
    case .float32: return .real(Double(Float(bitPattern: try cursor.uint32(what))))
    case .float64: return .real(Double(bitPattern: try cursor.uint64(what)))
    case .bool: return .flag(try cursor.byte(what) != 0)
    case .string, .array:
      throw ModelFileError(.wrongType, "\(what) is no number", offset: cursor.offset, key: key)
    }
  }

  private static func array(_ cursor: inout GGUFCursor, key: String) throws(ModelFileError)
    -> GGUFArray
  {
    let start = cursor.offset
    let element = try type(&cursor, key: key)
    let count = try cursor.uint64("the length of \(ModelFileError.printable(key))")
    let what = "the array \(ModelFileError.printable(key))"
    let limit = element == .string ? textCountLimit : countLimit
    guard count <= limit else {
      throw ModelFileError(
        .tooLarge, "\(what) claims \(count) elements; at most \(limit) are allowed",
        offset: start, key: key)
    }
    switch element {
    case .array:
      throw ModelFileError(
        .wrongType, "\(what) holds arrays, which llama.cpp does not read", offset: start, key: key)
    case .string:
      try cursor.require(count * 8, for: what)
      try texts(&cursor, key: key, count: Int(count), what)
      return GGUFArray(element: element, count: Int(count), integers: nil)
    default:
      let bytes = count * UInt64(element.width ?? 1)
      try cursor.require(bytes, for: what)
      guard count <= keptCount, element.isInteger || element == .bool else {
        try cursor.skip(bytes, what)
        return GGUFArray(element: element, count: Int(count), integers: nil)
      }
      var integers: [Int64] = []
      for _ in 0..<count {
        switch try number(&cursor, element, key: key) {
        case .integer(let value): integers.append(value)
        case .flag(let value): integers.append(value ? 1 : 0)
        default: integers.append(.max)
        }
      }
      return GGUFArray(element: element, count: Int(count), integers: integers)
    }
  }

  /// Passes over texts. Those of the vocabulary must differ, or llama.cpp asserts.
  private static func texts(
    _ cursor: inout GGUFCursor, key: String, count: Int, _ what: String
  ) throws(ModelFileError) {
    guard key == "tokenizer.ggml.tokens" else {
      for _ in 0..<count { try cursor.skipString(limit: tokenLimit, what) }
      return
    }
    var seen = HashSet(capacity: count)
    for number in 0..<count {
      let start = cursor.offset
      var (hash, length) = try cursor.stringHash(limit: tokenLimit, what)
      // llama.cpp gives tokens without a text this one.
      if length == 0 { hash = ByteHash.of("[EMPTY_\(number)]".utf8) }
      guard seen.insert(hash) else {
        throw ModelFileError(
          .badVocabulary, "token \(number) has the same text as an earlier one", offset: start,
          key: key)
      }
    }
  }
}

/// A set of hashes with open addressing: 8 to 32 bytes an entry, made once for a known number.
struct HashSet {
  private var slots: [UInt64]
  private let mask: Int

  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots = [UInt64](repeating: 0, count: size)
    mask = size - 1
  }

  /// - Returns: false when the hash is in the set already.
  mutating func insert(_ hash: UInt64) -> Bool {
    let value = hash == 0 ? 1 : hash  // 0 marks a free slot
    var slot = Int(truncatingIfNeeded: value ^ value >> 32) & mask
    while slots[slot] != 0 {
      if slots[slot] == value { return false }
      slot = (slot + 1) & mask
    }
    slots[slot] = value
    return true
  }
}

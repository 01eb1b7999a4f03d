import HybridCore

/// The fields of one object that may be left out but not misspelt.
struct StrictFields<Key: CodingKey & CaseIterable> {
  private let container: KeyedDecodingContainer<Key>

  /// - Throws: `DecodingError` naming the first key that is not one of `Key`'s.
  init(_ decoder: any Decoder) throws {
    try decoder.refuseUnknownKeys(known: Key.self)
    container = try decoder.container(keyedBy: Key.self)
  }

  func read<Value: Decodable>(_ key: Key, into value: inout Value) throws {
    guard container.contains(key) else { return }
    value = try container.decode(Value.self, forKey: key)
  }

  /// - Throws: `DecodingError` for a negative number.
  func readCount(_ key: Key, into value: inout Int) throws {
    guard container.contains(key) else { return }
    let count = try container.decode(Int.self, forKey: key)
    guard count >= 0 else {
      throw container.invalidField("must not be negative", forKey: key)
    }
    value = count
  }

  /// - Throws: `DecodingError` for a negative number of seconds, or for more than a hundred years.
  func readSeconds(_ key: Key, into value: inout Duration) throws {
    if let seconds = try readSeconds(key) { value = seconds }
  }

  /// - Returns: nil where the field was left out.
  func readSeconds(_ key: Key) throws -> Duration? {
    guard container.contains(key) else { return nil }
    let seconds = try container.decode(Double.self, forKey: key)
    guard (0...3_155_760_000).contains(seconds) else {
      throw container.invalidField("must be seconds, from 0 up to a hundred years", forKey: key)
    }
    return .seconds(seconds)
  }
}

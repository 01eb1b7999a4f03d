import HybridCore

/// The fields of one object that may be left out but not misspelt.
struct StrictFields<Key: CodingKey & CaseIterable & RawRepresentable> where Key.RawValue == String {
  private let container: KeyedDecodingContainer<Key>

  /// - Throws: `DecodingError` naming the first key that is not one of `Key`'s.
  init(_ decoder: any Decoder) throws {
    let names = Key.allCases.map(\.rawValue)
    let all = try decoder.container(keyedBy: AnyKey.self)
    for key in all.allKeys where !names.contains(key.stringValue) {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: all,
        debugDescription: "unknown field; the fields here are \(names.joined(separator: ", "))")
    }
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
    guard count >= 0 else { throw refusal(key, "a count cannot be negative") }
    value = count
  }

  /// - Returns: false where the field was left out.
  /// - Throws: `DecodingError` for a negative number of seconds, or one beyond a hundred years.
  @discardableResult
  func readSeconds(_ key: Key, into value: inout Duration) throws -> Bool {
    guard container.contains(key) else { return false }
    let seconds = try container.decode(Double.self, forKey: key)
    guard (0...3_155_760_000).contains(seconds) else {
      throw refusal(key, "seconds, from 0 up to a hundred years, are expected here")
    }
    value = .seconds(seconds)
    return true
  }

  private func refusal(_ key: Key, _ why: String) -> DecodingError {
    .dataCorruptedError(forKey: key, in: container, debugDescription: why)
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
      self.stringValue = stringValue
      intValue = nil
    }

    init(intValue: Int) {
      stringValue = String(intValue)
      self.intValue = intValue
    }
  }
}

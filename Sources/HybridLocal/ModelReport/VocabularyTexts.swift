/// The texts of a vocabulary in the file itself, for a header keeps none of them.
///
/// Each look passes over all of them: some milliseconds for 50,000 tokens.
struct VocabularyTexts {
  private let source: ModelBytes
  private let place: UInt64
  private let count: Int

  /// - Parameter values: of a header that has been read. nil where it has no vocabulary.
  init?(_ source: ModelBytes, _ values: [String: GGUFValue]) {
    guard let value = values["tokenizer.ggml.tokens"], case .array(let array) = value.payload,
      array.element == .string
    else { return nil }
    self.source = source
    // Behind the element's type and the number of elements.
    place = value.offset + 12
    count = array.count
  }

  /// The texts of some tokens by their numbers.
  func texts(of numbers: Set<Int>) throws(ModelFileError) -> [Int: String] {
    var found: [Int: String] = [:]
    var cursor = GGUFCursor(source, at: place)
    for number in 0..<count where found.count < numbers.count {
      if numbers.contains(number) {
        found[number] = try cursor.string(limit: 1 << 20, "token \(number)")
      } else {
        try cursor.skipString(limit: 1 << 20, "token \(number)")
      }
    }
    return found
  }

  /// Those of the texts that no token has.
  func missing(_ texts: Set<String>) throws(ModelFileError) -> Set<String> {
    // Two texts with one hash only cost a warning that is not given.
    var wanted = Dictionary(
      texts.map { (ByteHash.of($0.utf8), $0) }, uniquingKeysWith: { first, _ in first })
    var cursor = GGUFCursor(source, at: place)
    for number in 0..<count where !wanted.isEmpty {
      wanted[try cursor.stringHash(limit: 1 << 20, "token \(number)").hash] = nil
    }
    return Set(wanted.values)
  }
}

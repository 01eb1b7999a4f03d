/// Why a field cannot be read, in words that hold no content. Travels as the underlying error of a
/// `DecodingError`, so that a type's `init(from:)` also works with other decoders.
struct FieldProblem: Error, Sendable, Hashable {
  var words: String
  var nextStep: String?

  /// True where the last key of the path is at fault, not its value.
  var isAboutKey = false

  init(_ words: String, nextStep: String? = nil, isAboutKey: Bool = false) {
    self.words = words
    self.nextStep = nextStep
    self.isAboutKey = isAboutKey
  }
}

extension DecodingError {
  /// A field whose value has the right type and still cannot be used.
  ///
  /// - Parameters:
  ///   - problem: what is wrong, to follow the field's name: `must be over 0`. Shown to people:
  ///     must not hold the value where that may be content.
  ///   - path: `container.codingPath + [key]`, or `decoder.codingPath`.
  public static func invalidField(
    _ problem: String, at path: [any CodingKey], nextStep: String? = nil
  ) -> DecodingError {
    .dataCorrupted(
      Context(
        codingPath: path, debugDescription: problem,
        underlyingError: FieldProblem(problem, nextStep: nextStep)))
  }
}

extension KeyedDecodingContainerProtocol {
  /// The same for the value under `key`.
  public func invalidField(
    _ problem: String, forKey key: Key, nextStep: String? = nil
  ) -> DecodingError {
    .invalidField(problem, at: codingPath + [key], nextStep: nextStep)
  }
}

extension Decoder {
  /// Refuses an object that has a key other than `known`, and names the nearest known one: a
  /// misspelt option must not pass for its default.
  ///
  /// Call it first in `init(from:)`. Works with every decoder.
  public func refuseUnknownKeys(known: [String]) throws {
    let container = try container(keyedBy: AnyCodingKey.self)
    for key in container.allKeys where !known.contains(key.stringValue) {
      let nearest = NearestName.of(key.stringValue, among: known)
      let step =
        nearest.map { "Perhaps \(JSONPath.quoted($0)) was meant" }
        ?? "The known fields are \(known.map(JSONPath.quoted).joined(separator: ", "))"
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: codingPath + [key], debugDescription: "unknown field: \(step)",
          underlyingError: FieldProblem("unknown field", nextStep: step, isAboutKey: true)))
    }
  }

  /// The same, with the names that a key type lists.
  public func refuseUnknownKeys<Key: CodingKey & CaseIterable>(known: Key.Type) throws {
    try refuseUnknownKeys(known: Key.allCases.map(\.stringValue))
  }
}

/// The name that a misspelt one was probably meant to be.
package enum NearestName {
  /// - Returns: the known name within a third of the written one's length in edits (case counts for
  ///   nothing), the nearest first; nil where none is that near.
  package static func of(_ written: String, among known: [String]) -> String? {
    let letters = Array(written.lowercased().unicodeScalars)
    // Names are short; a long one is no misspelling, and distances cost its square.
    guard letters.count <= 64 else { return nil }
    var best: (name: String, distance: Int)?
    for name in known {
      let distance = edits(letters, Array(name.lowercased().unicodeScalars))
      if distance <= max(1, letters.count / 3), distance < best?.distance ?? .max {
        best = (name, distance)
      }
    }
    return best?.name
  }

  /// Insertions, removals, replacements and swaps of neighbours between two words.
  private static func edits(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var before: [Int] = []
    var previous = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var cost = min(previous[column + 1], current[column]) + 1
        cost = min(cost, previous[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          cost = min(cost, before[column - 1] + 1)
        }
        current.append(cost)
      }
      before = previous
      previous = current
    }
    return previous[right.count]
  }
}

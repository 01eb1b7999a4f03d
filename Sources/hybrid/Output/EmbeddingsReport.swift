internal import HybridCore
internal import HybridLocal

/// Vectors as `hybrid embed` prints them.
enum EmbeddingsReport {
  /// A line a text, its numbers separated by spaces.
  static func text(_ embeddings: Embeddings) -> String {
    embeddings.vectors.map { $0.lazy.map { "\($0)" }.joined(separator: " ") + "\n" }.joined()
  }

  /// One object, shaped like the embeddings reply of the gateway's protocol.
  ///
  /// - Parameter lines: of stdin that the texts came from, where that is more than their place tells.
  static func json(_ embeddings: Embeddings, lines: [Int] = []) -> JSONValue {
    var object: JSONObject = [
      "data": .array(embeddings.vectors.indices.map { .object(item(embeddings, $0, lines)) })
    ]
    for member in summary(embeddings).members { object[member.key] = member.value }
    return .object(object)
  }

  /// A line a text, and one for all of them.
  static func events(_ embeddings: Embeddings, lines: [Int] = []) -> [JSONValue] {
    func event(_ name: String, _ fields: JSONObject) -> JSONValue {
      var event: JSONObject = ["event": .string(name)]
      for member in fields.members { event[member.key] = member.value }
      return .object(event)
    }
    return embeddings.vectors.indices.map { event("embedding", item(embeddings, $0, lines)) }
      + [event("done", summary(embeddings))]
  }

  /// What is said of a text that was cut.
  static func note(_ truncation: Embeddings.Truncation, name: String) -> String {
    "\(name) was cut from \(truncation.tokens) to "
      + "\(truncation.kept) tokens"
  }

  /// What is said of lines that were left out.
  static func note(skipped lines: [Int]) -> String {
    let shown = lines.prefix(10).map { "\($0)" }.joined(separator: ", ")
    return lines.count == 1
      ? "line \(shown) of stdin is blank, and left out"
      : "\(lines.count) blank lines of stdin are left out: \(shown)"
        + (lines.count > 10 ? ", …" : "")
  }

  private static func item(_ embeddings: Embeddings, _ index: Int, _ lines: [Int]) -> JSONObject {
    let truncation = embeddings.truncations.first { $0.index == index }
    var item: JSONObject = ["index": .int(index)]
    if lines.indices.contains(index) { item["line"] = .int(lines[index]) }
    item["embedding"] = .array(embeddings.vectors[index].map(number))
    item["tokens"] = .int(embeddings.tokenCounts[index])
    item["truncatedFrom"] = .optional(truncation?.tokens)
    return item
  }

  private static func summary(_ embeddings: Embeddings) -> JSONObject {
    [
      "model": .string(embeddings.model), "dimension": .int(embeddings.dimension),
      "pooling": .string(embeddings.pooling.rawValue),
      "normalised": .bool(embeddings.isNormalised),
      "usage": ["promptTokens": .int(embeddings.promptTokens), "counted": true],
      "timings": [
        "queue": .optional(embeddings.timings.queue), "load": .optional(embeddings.timings.load),
        "prefill": .optional(embeddings.timings.prefill),
        "total": .optional(embeddings.timings.total),
      ],
    ]
  }

  /// With as many digits as a Float has, half of a Double's.
  private static func number(_ value: Float) -> JSONValue {
    value.isFinite ? .number(JSONNumber(uncheckedLiteral: "\(value)")) : .null
  }
}

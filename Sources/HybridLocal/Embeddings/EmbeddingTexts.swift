package import HybridCore

/// Texts as they go to the engine: each fits the context, whole or cut.
package struct EmbeddingTexts: Sendable, Hashable {
  package private(set) var tokens: [[Token]]
  package private(set) var truncations: [Embeddings.Truncation] = []

  /// - Parameters:
  ///   - tokens: of each text, with what the vocabulary puts around it.
  ///   - beginning: how many of those stand before the text.
  ///   - ending: how many of those follow the text; a cut one keeps them.
  ///   - truncates: whether a text that is too long is cut at its end.
  /// - Throws: `contextTooLong` for the first text that is too long and may not be cut, or of which
  ///   nothing would be left.
  package init(
    _ tokens: [[Token]], contextLength: Int, beginning: Int = 0, ending: Int = 0,
    truncates: Bool
  ) throws(HybridError) {
    self.tokens = tokens
    for (index, text) in tokens.enumerated() where text.count > contextLength {
      guard truncates, contextLength > beginning + ending else {
        throw Self.tooLong(index: index, tokens: text.count, contextLength: contextLength)
      }
      self.tokens[index] = text.prefix(contextLength - ending) + text.suffix(ending)
      truncations.append(
        Embeddings.Truncation(index: index, tokens: text.count, kept: contextLength))
    }
  }

  private static func tooLong(index: Int, tokens: Int, contextLength: Int) -> HybridError {
    HybridError(
      .contextTooLong,
      "text \(index), counted from 0, has \(tokens) tokens, and the embedding context holds "
        + "\(contextLength)",
      nextStep: "Split the text, use a longer context, or allow it to be cut expressly: "
        + "`truncates`, --truncate",
      details: [
        "index": .int(index), "promptTokens": .int(tokens), "contextLength": .int(contextLength),
      ], side: .local)
  }

  /// Refuses what no model could embed.
  ///
  /// - Throws: `invalidRequest` for no text, more than `most`, or an empty one.
  package static func validate(_ texts: [String], most: Int) throws(HybridError) {
    guard !texts.isEmpty else {
      throw invalid("there is no text to embed", "Give at least one", [:])
    }
    guard texts.count <= most else {
      throw invalid(
        "there are \(texts.count) texts, and one request may have \(most)",
        "Send them in several requests, or allow more expressly: `mostTexts`",
        ["texts": .int(texts.count), "most": .int(most)])
    }
    if let index = texts.firstIndex(where: \.isEmpty) {
      throw invalid(
        "text \(index), counted from 0, is empty", "Leave it out", ["index": .int(index)])
    }
  }

  private static func invalid(
    _ message: String, _ nextStep: String, _ details: JSONObject
  ) -> HybridError {
    HybridError(.invalidRequest, message, nextStep: nextStep, details: details, side: .local)
  }
}

/// How a model marks the beginning and the end of its reasoning.
package struct ReasoningMarks: Sendable, Hashable {
  package let open: String
  package let close: String

  /// - Parameters: neither empty, both ASCII.
  package init(open: String, close: String) {
    self.open = open
    self.close = close
  }

  /// Those in use: of the DeepSeek R1 and Qwen 3 families and most others, of Magistral, of Seed-OSS
  /// and of Command A Reasoning, as their published chat templates write them.
  package static let known = [
    ReasoningMarks(open: "<think>", close: "</think>"),
    ReasoningMarks(open: "<thinking>", close: "</thinking>"),
    ReasoningMarks(open: "[THINK]", close: "[/THINK]"),
    ReasoningMarks(open: "<seed:think>", close: "</seed:think>"),
    ReasoningMarks(open: "<|START_THINKING|>", close: "<|END_THINKING|>"),
  ]

  /// The marks that a model uses: those of which its template, or its vocabulary as tokens, has both.
  ///
  /// - Returns: nil for a model that marks no reasoning.
  package static func of(template: String, tokens: Set<String>) -> ReasoningMarks? {
    known.first { marks in
      [marks.open, marks.close].allSatisfy { tokens.contains($0) || template.contains($0) }
    }
  }

  /// Whether an answer to this prompt begins within the reasoning: the template opened it.
  package func isOpen(at end: RenderedPrompt) -> Bool {
    guard let last = end.lastPiece, last.origin == .template else { return false }
    var text = last.text[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    return text.hasSuffix(open)
  }
}

/// What of a model's reasoning concerns one answer.
package struct ReasoningUse: Sendable, Hashable {
  package let marks: ReasoningMarks
  /// The prompt opened it already.
  package let startsInside: Bool
  /// Marks that are control tokens, which have no text of their own in an answer.
  package let tokens: [Token: String]

  package init(marks: ReasoningMarks, startsInside: Bool = false, tokens: [Token: String] = [:]) {
    self.marks = marks
    self.startsInside = startsInside
    self.tokens = tokens
  }
}

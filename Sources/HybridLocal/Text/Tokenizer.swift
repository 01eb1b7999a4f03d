#if LocalLlama
  package import HybridCore

  /// A model's own tokenizer, over its vocabulary alone. Thread-safe.
  package final class Tokenizer: Sendable {
    package let vocabulary: LlamaModel
    let specials: SpecialTokens
    /// The vocabulary puts a space before every text that follows a special token or nothing.
    private let prefixesSpace: Bool
    private let newline: [Token]
    /// Stands for text that no other token does, and so may come out of any.
    private let unknown: Token?

    /// - Parameters:
    ///   - path: of a file that has passed the pre-flight.
    ///   - template: the model's chat template, which says which user-defined tokens are structure.
    ///   - unknown: the token for text that no other stands for.
    /// - Throws: `modelLoadFailed`, `modelUnsupported`. Costs 0.05 to 0.5 s; blocks.
    package init(path: String, template: String, unknown: Int? = nil) throws(HybridError) {
      let vocabulary = try LlamaModel(path: path, part: .vocabulary)
      var tokens: [SpecialToken] = []
      for id in 0..<Token(vocabulary.tokenCount) {
        let attributes = vocabulary.attributes(of: id)
        if attributes.isDisjoint(with: [.control, .userDefined, .unknown]) { continue }
        tokens.append(
          SpecialToken(id: id, text: vocabulary.text(of: id).utf8, attributes: attributes))
      }
      specials = SpecialTokens(tokens, template: template)
      let letter = try vocabulary.tokenize([UInt8(ascii: "a")].span)
      prefixesSpace = letter.first.map { vocabulary.text(of: $0).hasPrefix("▁") } ?? false
      newline = try vocabulary.tokenize([UInt8(ascii: "\n")].span)
      self.unknown = unknown.map { Token(clamping: $0) }
      self.vocabulary = vocabulary
    }

    /// What a template calls `bos_token`.
    package var beginningText: String? { text(of: vocabulary.beginningToken) }

    /// What a template calls `eos_token`.
    package var endText: String? { text(of: vocabulary.endToken) }

    private func text(of token: Token?) -> String? {
      token.map { vocabulary.text(of: $0) }
    }

    /// The tokens of plain text, none of them special, no beginning token.
    package func tokenize(_ text: String) throws(HybridError) -> [Token] {
      try vocabulary.tokenize(Array(text.utf8).span)
    }

    /// The tokens of a text that somebody else wrote: none of them special, though it spells a special
    /// token that ``tokenize(_:)-(String)`` would find. No beginning token.
    package func tokenize(untrusted text: String) throws(HybridError) -> [Token] {
      let userDefined = specials.structural.filter { $0.attributes.contains(.userDefined) }
      var tokens: [Token] = []
      for (index, part) in PromptPartition.cut(Array(text.utf8)[...], inside: userDefined)
        .enumerated()
      {
        tokens += try tokenize(part, continues: index > 0)
      }
      return tokens
    }

    /// The tokens of a prompt: special ones only where the template wrote them.
    ///
    /// The beginning token is added where the vocabulary asks for it and the template has not.
    /// Costs about 1 ms for 1,500 tokens.
    package func tokenize(_ prompt: RenderedPrompt) throws(HybridError) -> [Token] {
      var tokens: [Token] = []
      for fragment in PromptPartition(prompt, specials: specials).fragments {
        switch fragment {
        case .special(let token): tokens.append(token)
        case .text(let parts):
          for (index, part) in parts.enumerated() {
            tokens += try tokenize(part, continues: index > 0)
          }
        }
      }
      if vocabulary.addsBeginningToken, let beginning = vocabulary.beginningToken,
        tokens.first != beginning
      {
        tokens.insert(beginning, at: 0)
      }
      return tokens
    }

    /// - Parameter continues: the text before was cut from this text, so no space belongs between.
    private func tokenize(
      _ text: ArraySlice<UInt8>, continues: Bool
    ) throws(HybridError) -> [Token] {
      let tokens = try plainTokens(text, continues: continues)
      guard let control = tokens.first(where: { specials.control.contains($0) && $0 != unknown })
      else { return tokens }
      // Some vocabularies reach a control token by merging its text. Cut, it cannot be reached.
      let parts = PromptPartition.cut(
        text, inside: specials.structural.filter { $0.id == control })
      guard parts.count > 1 else {
        throw HybridError(
          .internal, "the vocabulary reads a control token where the prompt has none",
          nextStep: "Choose another model file", side: .local)
      }
      var result: [Token] = []
      for (index, part) in parts.enumerated() {
        result += try tokenize(part, continues: continues || index > 0)
      }
      return result
    }

    private func plainTokens(
      _ text: ArraySlice<UInt8>, continues: Bool
    ) throws(HybridError) -> [Token] {
      guard continues, prefixesSpace else { return try vocabulary.tokenize(Array(text).span) }
      // A newline takes the space that would be put before the text, and is taken off again.
      let line = [UInt8(ascii: "\n")] + text
      let tokens = try vocabulary.tokenize(line.span)
      guard tokens.starts(with: newline) else {
        return try vocabulary.tokenize(Array(text).span)
      }
      return Array(tokens.dropFirst(newline.count))
    }
  }
#endif

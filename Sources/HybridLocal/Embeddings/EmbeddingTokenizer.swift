#if LocalLlama
  package import HybridCore

  /// From a text to the tokens that an embedding model reads: the text's own, between those that the
  /// vocabulary puts around every text.
  package struct EmbeddingTokenizer: Sendable {
    private let tokenizer: Tokenizer
    /// What stands before every text: a beginning token, `[CLS]`.
    package let beginning: [Token]
    /// What stands after it: an end token, `[SEP]`.
    package let ending: [Token]

    /// - Parameter path: of the file that `header` was read from.
    /// - Throws: `modelLoadFailed`. Blocks while it reads the vocabulary.
    package init(path: String, header: GGUFHeader) throws(HybridError) {
      let vocabulary = header.vocabulary
      let tokenizer = try Tokenizer(
        path: path, template: vocabulary.chatTemplate ?? "", unknown: vocabulary.unknown)
      // llama.cpp has no call that tells what it adds; it adds the same to every text.
      let letter = [UInt8(ascii: "a")]
      let plain = try tokenizer.vocabulary.tokenize(letter.span)
      let whole = try tokenizer.vocabulary.tokenize(letter.span, addsSpecial: true)
      guard
        let start = (0...max(0, whole.count - plain.count)).first(where: {
          whole[$0...].starts(with: plain)
        })
      else {
        throw HybridError(
          .internal, "the vocabulary reads a text otherwise between its beginning and end",
          nextStep: "Report the model", side: .local)
      }
      beginning = Array(whole[..<start])
      ending = Array(whole[(start + plain.count)...])
      self.tokenizer = tokenizer
    }

    /// The tokens of several texts, until nobody wants them any more.
    ///
    /// - Parameter isUnwanted: asked before each text. Within one nothing stops llama.cpp, which takes about
    ///   a second for a few MB; nor does it need to, for a text has to fit the context.
    /// - Throws: `cancelled` where they are unwanted; as ``tokens(of:)-(String)``.
    package func tokens(
      of texts: [String], isUnwanted: () -> Bool
    ) throws(HybridError) -> [[Token]] {
      var tokens: [[Token]] = []
      for text in texts {
        if isUnwanted() {
          throw HybridError(.cancelled, "nobody waits for the texts any more", side: .local)
        }
        tokens.append(try self.tokens(of: text))
      }
      return tokens
    }

    /// Special tokens only at the ends: what spells one inside the text stays text.
    ///
    /// - Throws: `internal` when llama.cpp cannot tell. Costs about 1 ms for 1,500 tokens.
    package func tokens(of text: String) throws(HybridError) -> [Token] {
      beginning + (try tokenizer.tokenize(untrusted: text)) + ending
    }
  }
#endif

#if LocalLlama
  package import HybridCore

  /// From a conversation to the model's tokens: its own template, its own tokenizer.
  package struct PromptBuilder: Sendable {
    package let tokenizer: Tokenizer
    private let template: ChatTemplate
    private let marks: ReasoningMarks?
    private let markTokens: [Token: String]

    /// - Parameter path: of the file that `header` was read from.
    /// - Throws: `templateRejected` for a file without a template, or with one that cannot be parsed;
    ///   `modelLoadFailed`. Blocks while it reads the vocabulary.
    package init(path: String, header: GGUFHeader) throws(HybridError) {
      guard let source = header.vocabulary.chatTemplate, TemplateFamily(template: source) != .none
      else {
        throw HybridError(
          .templateRejected, "the model file has no chat template",
          nextStep: "Use a model file that has one: an instruct or chat model", side: .local)
      }
      do throws(TemplateError) {
        template = try ChatTemplate(source: source)
      } catch {
        throw HybridError(error)
      }
      tokenizer = try Tokenizer(
        path: path, template: source, unknown: header.vocabulary.unknown)
      let special = tokenizer.specials.structural.map {
        ($0, String(decoding: $0.text, as: UTF8.self))
      }
      let marks = ReasoningMarks.of(template: source, tokens: Set(special.map(\.1)))
      self.marks = marks
      markTokens = Dictionary(
        special.filter { token, text in
          token.attributes.contains(.control) && [marks?.open, marks?.close].contains(text)
        }.map { ($0.id, $1) }, uniquingKeysWith: { first, _ in first })
    }

    /// A conversation as the model is to read it, and what its answer will hold.
    package struct Prompt: Sendable {
      package let tokens: [Token]
      /// nil for a model that marks no reasoning.
      package let reasoning: ReasoningUse?
    }

    /// - Parameter date: what the template's `strftime_now` tells.
    /// - Throws: `templateRejected`.
    package func prompt(
      for messages: [ChatMessage], at date: TemplateDate
    ) throws(HybridError) -> Prompt {
      let context = TemplateContext(
        messages: messages, bosToken: tokenizer.beginningText ?? "",
        eosToken: tokenizer.endText ?? "", now: date)
      let prompt: RenderedPrompt
      do throws(TemplateError) {
        prompt = try template.render(context)
      } catch {
        throw HybridError(error)
      }
      let tokens = try tokenizer.tokenize(prompt)
      // Also where the tokenizer puts a mark of its own before nothing.
      if prompt.bytes.isEmpty || tokens.isEmpty { throw .emptyPrompt }
      return Prompt(
        tokens: tokens,
        reasoning: marks.map {
          ReasoningUse(marks: $0, startsInside: $0.isOpen(at: prompt), tokens: markTokens)
        })
    }
  }
#endif

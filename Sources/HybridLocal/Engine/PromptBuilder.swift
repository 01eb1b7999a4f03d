#if LocalLlama
  package import HybridCore

  /// From a conversation to the model's tokens: its own template, its own tokenizer.
  package struct PromptBuilder: Sendable {
    package let tokenizer: Tokenizer
    private let template: ChatTemplate

    /// - Parameter path: of the file that `header` was read from.
    /// - Throws: `templateRejected` for a file without a template, or with one that cannot be parsed;
    ///   `modelLoadFailed`. Blocks while it reads the vocabulary.
    package init(path: String, header: GGUFHeader) throws(HybridError) {
      guard let source = header.vocabulary.chatTemplate else {
        throw HybridError(
          .templateRejected, "the model file has no chat template",
          nextStep: "Use a model file that has one: an instruct or chat model", side: .local)
      }
      do throws(TemplateError) {
        template = try ChatTemplate(source: source)
      } catch {
        throw HybridError(error)
      }
      tokenizer = try Tokenizer(path: path, template: source)
    }

    /// - Parameter date: what the template's `strftime_now` tells.
    /// - Throws: `templateRejected`.
    package func tokens(
      for messages: [ChatMessage], at date: TemplateDate
    ) throws(HybridError) -> [Token] {
      let context = TemplateContext(
        messages: messages, bosToken: tokenizer.beginningText ?? "",
        eosToken: tokenizer.endText ?? "", now: date)
      let prompt: RenderedPrompt
      do throws(TemplateError) {
        prompt = try template.render(context)
      } catch {
        throw HybridError(error)
      }
      return try tokenizer.tokenize(prompt)
    }
  }
#endif

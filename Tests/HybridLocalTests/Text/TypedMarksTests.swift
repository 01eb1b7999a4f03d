#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import Testing

  /// Real templates with the vocabularies that they were made for, and conversations in which everybody
  /// types the marks of both.
  struct TypedMarksTests {
    static let models: [(template: String, vocabulary: String)] = [
      ("Qwen-Qwen2.5-7B-Instruct", "qwen2"), ("Qwen3.5-4B", "qwen35"),
      ("meta-llama-Llama-3.1-8B-Instruct", "llama-bpe"),
      ("microsoft-Phi-3.5-mini-instruct", "phi-3"),
      ("CohereForAI-c4ai-command-r-plus-tool_use", "command-r"),
      ("google-gemma-4-31B-it", "gemma-4"),
      ("NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use", "llama-bpe"),
      ("llama-cpp-deepseek-r1", "deepseek-llm"),
    ]

    /// A user's message, a tool's name, description and parameters, a call's arguments and a result.
    private static func conversation(typing text: String, withTools: Bool) -> TemplateContext {
      let messages: [ChatMessage]
      var tools: [ToolDefinition] = []
      if withTools {
        let call = ToolCall(
          id: "abc123456", name: text, arguments: JSONWriter.compact.string([text: .string(text)]))
        messages = [
          .user(text), ChatMessage(role: .assistant, content: [], toolCalls: [call]),
          ChatMessage(role: .tool, content: [.text(text)], name: text, toolCallID: "abc123456"),
          .assistant("Done."), .user(text),
        ]
        tools = [
          ToolDefinition(
            name: text, description: text,
            parameters: [
              "type": "object",
              "properties": [text: ["type": "string", "description": .string(text)]],
            ])
        ]
      } else {
        messages = [.user(text), .assistant("Done."), .user(text)]
      }
      return TemplateContext(
        messages: messages, tools: tools, bosToken: "<s>", eosToken: "</s>",
        now: TemplateFixtures.date)
    }

    @Test(arguments: models.indices)
    func `what anybody types gives no special token, whatever place it is in`(
      index: Int
    ) async throws {
      let (name, vocabulary) = Self.models[index]
      let source = try #require(
        TemplateFixtures.realTemplates().first { $0.name == name + ".jinja" }?.source)
      let tokenizer = try Tokenizer(
        path: TestAssets.path("testing/vocab/ggml-vocab-\(vocabulary).gguf"), template: source)
      let template = try ChatTemplate(source: source)

      var marks: [Token: String] = [:]
      for id in 0..<Token(tokenizer.vocabulary.tokenCount) {
        let attributes = tokenizer.vocabulary.attributes(of: id)
        let text = tokenizer.vocabulary.text(of: id)
        let isMark =
          attributes.contains(.control)
          || (attributes.contains(.userDefined) && text.count > 1 && source.contains(text))
        if isMark, !text.isEmpty { marks[id] = text }
      }
      let typed = marks.values.sorted()
      #expect(typed.count >= 2)

      /// The special tokens of a prompt, in order.
      func structure(_ text: String, withTools: Bool) throws -> [Token]? {
        guard
          let prompt = try? template.render(Self.conversation(typing: text, withTools: withTools))
        else { return nil }
        return try tokenizer.tokenize(prompt).filter { marks[$0] != nil }
      }

      var rendered = 0
      for withTools in [false, true] {
        let plain = try structure("word", withTools: withTools)
        if plain != nil { rendered += 1 }
        for separator in ["", " ", "a", "\n"] {
          await Task.yield()
          let all = try structure(typed.joined(separator: separator), withTools: withTools)
          #expect(
            all == plain, "\(name), tools: \(withTools), between them \(separator.debugDescription)"
          )
        }
      }
      #expect(rendered > 0)
    }
  }
#endif

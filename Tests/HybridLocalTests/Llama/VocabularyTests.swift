#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import Testing

  /// The tokenizer cases that come with llama.cpp: a vocabulary, texts, and the tokens of each.
  struct VocabularyTests {
    struct Case {
      var text: String
      var tokens: [Token]
    }

    static func cases(besides path: String) throws -> [Case] {
      let texts = try String(contentsOfFile: path + ".inp", encoding: .utf8)
        .components(separatedBy: "\n__ggml_vocab_test__\n")
      let lines = try String(contentsOfFile: path + ".out", encoding: .utf8)
        .components(separatedBy: "\n")
      return zip(texts, lines).map { text, line in
        Case(text: text, tokens: line.split(separator: " ").compactMap { Token($0) })
      }
    }

    @Test func `every vocabulary gives the tokens that llama.cpp's own cases list`() async throws {
      var count = 0
      for path in try TestAssets.folder("testing/vocab") where path.hasSuffix(".gguf") {
        guard FileManager.default.fileExists(atPath: path + ".inp") else { continue }
        // Others need this thread too: a vocabulary takes up to half a second.
        await Task.yield()
        let vocabulary = try LlamaModel(path: path, part: .vocabulary)
        var seen: Set<String> = []
        for `case` in try Self.cases(besides: path) where seen.insert(`case`.text).inserted {
          let bytes = Array(`case`.text.utf8)
          let tokens = try vocabulary.tokenize(bytes.span)
          #expect(tokens == `case`.tokens, "\(path): \(`case`.text)")
          count += 1
        }
      }
      #expect(count == 694)
    }

    /// A vocabulary, the template text before and after a message, and the template's marks.
    static let formats: [(file: String, before: String, after: String)] = [
      ("qwen2", "<|im_start|>user\n", "<|im_end|>\n<|im_start|>assistant\n"),
      ("phi-3", "<|user|>\n", "<|end|>\n<|assistant|>\n"),
      (
        "llama-bpe", "<|start_header_id|>user<|end_header_id|>\n\n",
        "<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n"
      ),
      ("llama-spm", "<s>[INST] ", " [/INST]"),
      (
        "command-r", "<|START_OF_TURN_TOKEN|><|USER_TOKEN|>",
        "<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>"
      ),
      ("deepseek-llm", "User: ", "\n\nAssistant:"), ("gpt-2", "Q: ", "\nA:"),
      ("gemma-4", "<|turn>user\n", "<turn|>\n<|turn>model\n"),
    ]

    static let contents = [
      "Hello", " Hello ", "\nHello\n", "\n\n", "  two  spaces  ", "日本語のテキスト", "مرحبا بالعالم",
      "👩‍👩‍👧‍👦 🙂",
      "tab\tand\r\nline", "<b>html</b>", "code:\n    if x:\n        y()\n", "1234567890",
      "e\u{301}\u{200D}",
      "a <| b |> c", "!!!???...",
    ]

    @Test func `a prompt without marks in its content has the tokens of its whole text`()
      async throws
    {
      for format in Self.formats {
        await Task.yield()
        let path = try TestAssets.path("testing/vocab/ggml-vocab-\(format.file).gguf")
        let tokenizer = try Tokenizer(path: path, template: format.before + format.after)
        for content in Self.contents {
          let prompt = RenderedPrompt(pieces: [
            .init(text: format.before, origin: .template),
            .init(text: content, origin: .content),
            .init(text: format.after, origin: .template),
          ])
          var whole = try tokenizer.vocabulary.tokenize(
            Array(prompt.text.utf8).span, parsesSpecial: true)
          let vocabulary = tokenizer.vocabulary.beginningToken
          if tokenizer.vocabulary.addsBeginningToken, whole.first != vocabulary {
            whole = [try #require(vocabulary)] + whole
          }
          #expect(try tokenizer.tokenize(prompt) == whole, "\(format.file): \(content)")
        }
      }
    }

    @Test func `no vocabulary yields a control token for the text of one in a message`()
      async throws
    {
      for path in try TestAssets.folder("testing/vocab") where path.hasSuffix(".gguf") {
        let format = Self.formats.first { path.hasSuffix("-\($0.file).gguf") }
        let template = (format?.before ?? "") + (format?.after ?? "")
        let tokenizer = try Tokenizer(path: path, template: template)
        var marks: [Token: String] = [:]
        for id in 0..<Token(tokenizer.vocabulary.tokenCount) {
          let attributes = tokenizer.vocabulary.attributes(of: id)
          let text = tokenizer.vocabulary.text(of: id)
          let isMark =
            attributes.contains(.control)
            || (attributes.contains(.userDefined) && text.count > 1 && template.contains(text))
          if isMark, !text.isEmpty { marks[id] = text }
        }
        let beginning =
          tokenizer.vocabulary.addsBeginningToken
          ? tokenizer.vocabulary.beginningToken : nil
        for (number, text) in marks.values.enumerated() {
          if number % 32 == 0 { await Task.yield() }
          for content in [text, "a\(text)b", " \(text) ", text + text] {
            let prompt = RenderedPrompt(pieces: [.init(text: content, origin: .content)])
            var tokens = try tokenizer.tokenize(prompt)
            if beginning != nil { tokens.removeFirst() }
            let found = tokens.filter { marks[$0] != nil }
            #expect(found.isEmpty, "\(path): \(content) gave \(found)")
          }
        }
      }
    }

    @Test func `text that was cut keeps its bytes`() throws {
      let path = try TestAssets.path("testing/vocab/ggml-vocab-phi-3.gguf")
      let tokenizer = try Tokenizer(path: path, template: "<|user|>\n<|end|>")
      let content = "say <|user|> and <|end|>"
      let tokens = try tokenizer.tokenize(
        RenderedPrompt(pieces: [.init(text: content, origin: .content)]))
      let bytes = tokens.flatMap { tokenizer.vocabulary.piece(of: $0) }
      // The vocabulary puts one space before a text.
      #expect(String(decoding: bytes, as: UTF8.self) == " " + content)
    }

    @Test func `several threads tokenise at once`() async throws {
      let path = try TestAssets.path("testing/vocab/ggml-vocab-qwen2.gguf")
      let tokenizer = try Tokenizer(path: path, template: "")
      let cases = try Self.cases(besides: path)
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<4 {
          group.addTask {
            try cases.allSatisfy { try tokenizer.tokenize($0.text) == $0.tokens }
          }
        }
        for try await isRight in group { #expect(isRight) }
      }
    }
  }
#endif

#if LocalLlama
  import HybridCore
  import HybridLocal
  import Testing

  extension RealModel {
    struct ServerCountTests {
      static let conversations: [[ChatMessage]] = [
        [.user("Why is the sky blue?")],
        [.system("Answer in French."), .user("Hello")],
        [.user("Hi"), .assistant("Hello! How can I help?"), .user("Tell me more.")],
        [.user("🙂🎉🦊")],
        [.user("👩‍👩‍👧‍👦 family, 🇩🇪 flag, 👍🏽 tone")],
        [.user("日本語で答えてください。")],
        [.user("请用中文回答：天空为什么是蓝色的？")],
        [.user("한국어로 대답해 주세요")],
        [.user("لماذا السماء زرقاء؟")],
        [.user("מדוע השמיים כחולים?"), .assistant("בגלל פיזור"), .user("תודה")],
        [.user("\nstarts with a newline")],
        [.user("ends with a newline\n")],
        [.user("\n\n\nboth\n\n\n"), .assistant("\nok\n"), .user("  spaces  ")],
        [.user("tabs\tand\r\nline ends\r\n")],
        [.user("```swift\nfunc f() {\n    return 1\n}\n```")],
        [.user("{\"a\": [1, 2.5, null], \"b\": \"\\u00e9\"}")],
        [.user("e\u{301} combining, \u{200B} zero width, \u{FEFF} mark")],
        [.system("Système"), .user("Ünïcödé ñ ß Æ Ω ≈ ∞")],
        [.user("1234567890 3.14159 0xFF 1e-9 ½ ² ①")],
        [.system("You are brief."), .user(RealModel.long(1500))],
      ]

      @Test func `prompt tokens are those that llama-server counts`() async throws {
        let path = try TestAssets.model()
        let server = try await LlamaServer(model: path, context: 4096)
        let executor = try executor(contextLength: nil)
        #expect(Self.conversations.count == 20)
        for messages in Self.conversations {
          let count = try #require(try await server.promptTokens(of: messages))
          let measured = await executor.measure(ChatRequest(messages: messages))
          #expect(measured == .counted(count), "\(messages[0].text.prefix(40))")
        }
      }
    }
  }
#endif

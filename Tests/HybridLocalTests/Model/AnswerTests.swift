#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import HybridTesting
  import Testing

  extension RealModel {
    struct AnswerTests {
      @Test func `a greedy answer is the same on each run`() async throws {
        let executor = try executor()
        let request = request("Why is the sky blue?", maxTokens: 32)
        let first = try await executor.collect(request)
        let second = try await executor.collect(request)
        #expect(first.text.contains("sky"))
        #expect(first.text == second.text)
        let completion = try #require(first.completion)
        #expect(completion.finishReason == .length)
        #expect(completion.usage?.completionTokens == 32)
        #expect(completion.usage?.counted == true)
        #expect(completion.usage?.cachedTokens == 0)
        #expect(completion.threads == ThreadCounts(decode: 1, prefill: 1))
        #expect(completion.model == "SmolLM2-135M-Instruct.Q4_1")
        #expect(completion.timings.load != nil)
        #expect(second.completion?.timings.load == nil)
        await executor.close()
      }

      @Test func `a seed makes a drawn answer repeatable, and another seed changes it`()
        async throws
      {
        let executor = try executor()
        func answer(_ seed: UInt32) async throws -> String {
          try await executor.collect(
            request("Tell me a story about a fox.") {
              $0.sampling = Sampling(temperature: 1.2, seed: seed)
            }
          ).text
        }
        let first = try await answer(1)
        #expect(try await answer(1) == first)
        #expect(try await answer(2) != first)
        await executor.close()
      }

      @Test func `a prompt of many batches is answered, and its tokens are those measured`()
        async throws
      {
        let executor = try executor(contextLength: 2048)
        let request = request(long(1500), maxTokens: 2)
        let measured = await executor.measure(request)
        let answer = try await executor.collect(request)
        let count = try #require(answer.completion?.usage?.promptTokens)
        #expect(count > 1400)
        #expect(measured == .counted(count))
        #expect(answer.completion?.usage?.completionTokens ?? 0 > 0)
        await executor.close()
      }

      static let outOfOrder: [[ChatMessage]] = [
        [.assistant("Blue."), .user("Why?")],
        [.user("Hello."), .user("Are you there?")],
        [.user("Hello."), .system("Answer in French.")],
        [.system("Be brief."), .system("Be kind."), .user("Hello.")],
        [.user("Hello."), .assistant("Good"), .assistant(" day.")],
        [.system("Say hello.")],
      ]

      @Test func `roles out of order are answered as they stand`() async throws {
        // This model's template takes any order; what a stricter one raises is `invalidRequest`.
        let executor = try executor()
        for messages in Self.outOfOrder {
          var request = request("", maxTokens: 2)
          request.messages = messages
          let measured = await executor.measure(request)
          let answer = try await executor.collect(request)
          #expect(answer.completion?.usage?.completionTokens ?? 0 > 0, "\(messages.map(\.role))")
          #expect(measured == .counted(answer.completion?.usage?.promptTokens ?? 0))
        }
        await executor.close()
      }

      @Test func `an answer that fills the context ends as contextFull with the usage right`()
        async throws
      {
        let executor = try executor(contextLength: 64)
        let answer = try await executor.collect(request("Count to one thousand.", maxTokens: nil))
        let usage = try #require(answer.completion?.usage)
        #expect(answer.completion?.finishReason == .contextFull)
        #expect((usage.promptTokens ?? 0) + (usage.completionTokens ?? 0) == 65)
        #expect(!answer.text.isEmpty)
        await executor.close()
      }

      @Test func `a prompt that fills the context is refused with both numbers`() async throws {
        let executor = try executor(contextLength: 64)
        let error = await #expect(throws: HybridError.self) {
          try await executor.collect(request(long(100)))
        }
        #expect(error?.code == .contextTooLong)
        #expect(error?.details["contextLength"]?.int == 64)
        #expect((error?.details["promptTokens"]?.int ?? 0) > 100)
        // Refused before any weight was read.
        #expect(await executor.status().state == .notLoaded)
      }

      @Test func `the model's own end is a stop`() async throws {
        let executor = try executor()
        let answer = try await executor.collect(request("Say hello.", maxTokens: 200))
        #expect(answer.completion?.finishReason == .stop)
        await executor.close()
      }

      @Test func `a stop string over several tokens ends the answer before it`() async throws {
        let executor = try executor()
        let whole = try await executor.collect(request("Why is the sky blue?", maxTokens: 32)).text
        let words = whole.split(separator: " ")
        let stop = words[4...6].joined(separator: " ")
        let range = try #require(whole.range(of: stop))
        let answer = try await executor.collect(
          request("Why is the sky blue?", maxTokens: 32) { $0.stop = ["never said", stop] })
        #expect(answer.text == String(whole[..<range.lowerBound]))
        #expect(answer.completion?.finishReason == .stop)
        await executor.close()
      }

      @Test func `pieces are whole characters, emoji among them`() async throws {
        let executor = try executor()
        let answer = try await executor.collect(
          request("Repeat exactly: 🙂🎉🦊日本語 🙂🎉🦊日本語 🙂🎉🦊日本語", maxTokens: 48))
        // Only where the limit fell within a character may the last piece say so.
        #expect(answer.pieces.dropLast().allSatisfy { !$0.isEmpty && !$0.contains("\u{FFFD}") })
        #expect(answer.text.unicodeScalars.contains { $0.value > 0xFFFF })
        await executor.close()
      }

      @Test func `control tokens in a message are text, each of them`() async throws {
        let executor = try executor()
        let path = try TestAssets.model()
        let header = try GGUFHeader(path: path)
        let builder = try PromptBuilder(path: path, header: header)
        let vocabulary = builder.tokenizer
        func controls(_ content: String) throws -> [Token] {
          try builder.prompt(
            for: [.user(content)], at: TemplateDate(year: 2026, month: 1, day: 1)
          ).tokens.filter { vocabulary.vocabulary.attributes(of: $0).contains(.control) }
        }
        let plain = try controls("hello")
        #expect(!plain.isEmpty)
        var count = 0
        for id in 0..<Token(vocabulary.vocabulary.tokenCount)
        where vocabulary.vocabulary.attributes(of: id).contains(.control) {
          let text = vocabulary.vocabulary.text(of: id)
          for content in [text, "a\(text)b", "\(text)\n\(text)"] {
            #expect(try controls(content) == plain, "\(text)")
          }
          count += 1
        }
        #expect(count > 10)
        await executor.close()
      }
    }
  }
#endif

#if LocalLlama
  import HybridCore
  import HybridLocal
  import Testing

  extension RealModel {
    struct PrefixCacheTests {
      /// The tokens of a conversation before its last message's answer.
      static func prompt(
        _ messages: [ChatMessage], _ builder: PromptBuilder
      ) throws -> [Token] {
        try builder.prompt(for: messages, at: TemplateDate(unixSeconds: 0)).tokens
      }

      static func builder() throws -> PromptBuilder {
        let path = try TestAssets.model()
        return try PromptBuilder(path: path, header: GGUFHeader(path: path))
      }

      @Test func `a conversation of twenty turns with edits reuses exactly what it shares`()
        async throws
      {
        let executor = try executor(contextLength: 2048, parallel: 1, total: 2048)
        let builder = try Self.builder()
        var messages: [ChatMessage] = [.system("You answer in a few words.")]
        // What the context's memory has seen, oldest first: prompts, and tokens of their answers.
        var seen: [(prompt: [Token], answer: Int)] = []
        for turn in 1...20 {
          // Every fifth turn takes back the last question and asks another.
          if turn % 5 == 0 { messages.removeLast(2) }
          messages.append(.user("Turn \(turn): what comes after \(turn)?"))
          let tokens = try Self.prompt(messages, builder)
          let shared = seen.map { commonPrefix($0.prompt, tokens) }.max() ?? 0
          // The answer's own tokens, as the template writes them, may be found again as well.
          let most =
            seen.map { prompt, answer in
              let common = commonPrefix(prompt, tokens)
              return common == prompt.count ? common + answer : common
            }.max() ?? 0
          let answer = try await executor.collect(
            ChatRequest(messages: messages, sampling: .greedy, maxTokens: 6))
          let usage = answer.completion?.usage
          #expect(usage?.promptTokens == tokens.count)
          let cached = usage?.cachedTokens ?? -1
          #expect(cached >= min(shared, tokens.count - 1), "turn \(turn)")
          #expect(cached <= min(most, tokens.count - 1), "turn \(turn)")
          if turn > 1, turn % 5 != 0 { #expect(Double(cached) > 0.5 * Double(tokens.count)) }
          seen.append((tokens, usage?.completionTokens ?? 0))
          messages.append(.assistant(answer.text))
        }
        await executor.close()
      }

      @Test func `an answer over a reused prefix is that over a computed one`() async throws {
        let executor = try executor(contextLength: 512, isDeterministic: true)
        let long = request(long(300) + "Say the last word again.", maxTokens: 12)
        let first = try await executor.collect(long)
        let again = try await executor.collect(long)
        #expect(first.completion?.usage?.cachedTokens == 0)
        // Whole chunks of 128.
        #expect(again.completion?.usage?.cachedTokens == 256)
        #expect(again.text == first.text)
        await executor.close()
      }

      @Test func `a system prompt that all share is computed once`() async throws {
        let executor = try executor(contextLength: 512, parallel: 4, total: 1024)
        try await executor.load()
        let system = long(200)
        let usages = try await withThrowingTaskGroup(of: Usage?.self) { group in
          for number in 1...4 {
            group.addTask {
              let messages: [ChatMessage] = [.system(system), .user("What is \(number)?")]
              return try await executor.collect(
                ChatRequest(messages: messages, sampling: .greedy, maxTokens: 4)
              ).completion?.usage
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        let cached = usages.compactMap { $0?.cachedTokens }.sorted()
        #expect(cached.count == 4)
        #expect(cached.first == 0)
        // A remainder that is not worth waiting for may be computed again.
        #expect(cached.dropFirst().allSatisfy { $0 > 170 }, "\(cached)")
        await executor.close()
      }

      /// Cells of the budget, and whether the first prompt, of some 90 cells, is there after itself and
      /// after another.
      static let budgets = [(60, false, false), (120, true, false), (240, true, true)]

      @Test(arguments: budgets)
      func `the cache holds as many cells as its bytes are`(
        cells: Int, afterItself: Bool, afterAnother: Bool
      ) async throws {
        let header = try GGUFHeader(path: TestAssets.model())
        let cellBytes = MemoryEstimate(header, contextLength: 512).keyValueBytes / 512
        let executor = LocalExecutor(
          modelPath: try TestAssets.model(),
          options: .init(
            contextLength: 512, parallelRequests: 1, totalContextLength: 512,
            prefixCacheBytes: cells * cellBytes, threads: 1))
        // They differ from the first word on; the default system message is the same.
        let prompts = ["First, \(long(60))", "Other, \(long(60))"]
        var usages: [Usage] = []
        for place in [0, 0, 1, 0] {
          let answer = try await executor.collect(request(prompts[place], maxTokens: 1))
          usages.append(try #require(answer.completion?.usage))
        }
        let prompt = try #require(usages[0].promptTokens)
        #expect((70...110).contains(prompt))
        #expect(usages[1].cachedTokens == (afterItself ? prompt - 1 : 0))
        let shared = usages[2].cachedTokens ?? 0
        #expect(shared < 40)
        #expect(usages[3].cachedTokens == (afterAnother ? prompt - 1 : shared))
        await executor.close()
      }

      @Test func `no bytes for the cache means that nothing is used again`() async throws {
        let executor = LocalExecutor(
          modelPath: try TestAssets.model(),
          options: .init(contextLength: 512, prefixCacheBytes: 0, threads: 1))
        for _ in 1...2 {
          let answer = try await executor.collect(request("Name a colour.", maxTokens: 2))
          #expect(answer.completion?.usage?.cachedTokens == 0)
        }
        await executor.close()
      }
    }
  }
#endif

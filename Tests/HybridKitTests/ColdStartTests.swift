#if LocalLlama
  import HybridKit
  import Testing

  @Suite struct `A service that has just started` {
    @Test func `answers the whole burst that comes before its model is loaded`() async throws {
      let model = try LocalExecutor(model: "SmolLM2-135M-Instruct")
      let chat = HybridChat(local: model, policy: RoutingPolicy(preference: .localOnly))
      var request = ChatRequest(prompt: "Say hello.")
      request.sampling = .greedy
      request.maxTokens = 2
      let texts = try await withThrowingTaskGroup(of: String.self) { [request] group in
        for _ in 1...8 {
          group.addTask { try await chat.complete(request).text }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      await model.close()
      #expect(texts.count == 8)
      #expect(Set(texts).count == 1)
    }
  }
#endif

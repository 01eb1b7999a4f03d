#if LocalLlama
  import HybridKit
  import Testing

  /// A process may end while the engine's thread, or a text that is being counted, is still at work.
  @Suite struct `A process that ends` {
    @Test(arguments: 1...3)
    func `while its model is loaded ends in good order`(_ round: Int) async {
      await #expect(processExitsWith: .success) {
        let model = try LocalExecutor(model: "SmolLM2-135M-Instruct")
        let chat = HybridChat(local: model)
        Task { try await chat.complete(ChatRequest(prompt: "Say hello.")) }
        while true {
          let state = await model.status().state
          if case .loading = state { break }
          if case .ready = state { break }
          await Task.yield()
        }
      }
    }

    @Test func `while a long prompt is counted ends in good order`() async {
      await #expect(processExitsWith: .success) {
        let model = try LocalExecutor(model: "SmolLM2-135M-Instruct")
        var request = ChatRequest(prompt: String(repeating: "a b ", count: 100_000))
        request.deadline = .milliseconds(300)
        let chat = HybridChat(local: model)
        await #expect(throws: HybridError.self) { try await chat.complete(request) }
      }
    }

    @Test func `in the middle of an answer ends in good order`() async {
      await #expect(processExitsWith: .success) {
        let chat = HybridChat(local: try LocalExecutor(model: "SmolLM2-135M-Instruct"))
        let stream = try await chat.stream(ChatRequest(prompt: "Tell a long story."))
        var events = stream.makeAsyncIterator()
        while let event = try await events.next() {
          if case .text = event { break }
        }
      }
    }
  }
#endif

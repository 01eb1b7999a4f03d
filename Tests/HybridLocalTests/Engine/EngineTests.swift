#if LocalLlama
  import HybridCore
  import HybridLocal
  import Testing

  struct EngineTests {
    @Test func `a greedy answer is the same on each run`() async throws {
      let path = try TestAssets.model()
      let tokenizer = try Tokenizer(path: path, template: "")
      let threads = ThreadCounts(decode: 1, prefill: 1)
      let engine = try Engine(
        options: .init(
          path: path, modelName: "SmolLM2", context: .init(length: 2048, threads: threads),
          queueCapacity: 4), time: SystemTimeSource())
      _ = try await engine.loaded.wait()
      let prompt = try tokenizer.tokenize(chatML("Why is the sky blue?"))
      var answers: [String] = []
      for _ in 1...2 {
        let job = try engine.submit(
          .init(prompt: prompt, sampler: .greedy, maxTokens: 40, received: .origin))
        var text = ""
        while let event = try await job.events.next() {
          if case .text(let piece) = event { text += piece } else { print(event) }
        }
        answers.append(text)
      }
      print(answers[0])
      #expect(answers[0] == answers[1])
      engine.shutDown(HybridError(.cancelled, "the test is over"))
      _ = try await engine.ended.wait()
    }
  }
#endif

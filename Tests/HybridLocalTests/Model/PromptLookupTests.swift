#if LocalLlama
  import HybridCore
  import HybridLocal
  import Testing

  extension RealModel {
    /// Answers that guess ahead.
    struct PromptLookupTests {
      private func answer(_ prompt: String, usesPromptLookup: Bool) async throws -> Collected {
        // Each look at this clock takes a microsecond: what passes is how often the engine looked.
        let clock = SteppingClock(step: .microseconds(1))
        clock.start()
        let executor = LocalExecutor(
          modelPath: try TestAssets.model(),
          options: .init(
            contextLength: 512, parallelRequests: 1, usesPromptLookup: usesPromptLookup, threads: 1),
          time: clock)
        let request = request(prompt, maxTokens: 60) { $0.topLogProbs = 2 }
        let answer = try await executor.collect(request)
        await executor.close()
        return answer
      }

      @Test func `an answer that quotes takes fewer steps, and each token is its step's likeliest`()
        async throws
      {
        let prompt = """
          Repeat this text word for word:

          The lighthouse at Carrow Point was built in 1871 by two brothers from the village. It \
          stands on a rock that is dry for three hours a day, and its lamp can be seen from \
          twenty miles away.
          """
        let plain = try await answer(prompt, usesPromptLookup: false)
        let ahead = try await answer(prompt, usesPromptLookup: true)
        for token in ahead.logProbs {
          #expect(token.alternatives.first?.token == token.token)
        }
        // Of the token that ends the answer nothing is told.
        let ending = ahead.completion?.finishReason == .stop ? 1 : 0
        #expect(ahead.logProbs.count + ending == ahead.completion?.usage?.completionTokens)
        #expect(ahead.completion?.finishReason == plain.completion?.finishReason)

        // Another text comes only from two tokens that are as good as equally likely.
        if let place = zip(plain.logProbs, ahead.logProbs).enumerated()
          .first(where: { $0.element.0.token != $0.element.1.token })?.offset
        {
          let top = plain.logProbs[place].alternatives
          #expect(top[0].logProb - top[1].logProb < 0.1)
          #expect(top[1].token == ahead.logProbs[place].token)
        } else {
          #expect(ahead.text == plain.text)
        }

        // A step looks at the clock a few times, and each token once.
        let looks = [plain, ahead].map { ($0.completion?.timings.decode ?? .zero).inSeconds }
        #expect(looks[0] > 0 && looks[1] < 0.7 * looks[0], "\(looks)")
      }
    }
  }
#endif

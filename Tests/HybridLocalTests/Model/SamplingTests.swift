#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import Testing

  extension RealModel {
    /// Sampling as a user notices it.
    struct SamplingTests {
      private static let model = "SmolLM2-135M-Instruct"

      @Test func `penalties make a repetitive answer less so`() async throws {
        let executor = try executor()
        /// The share of a greedy answer's tokens that it has not had before.
        func novelty(_ change: (inout Sampling) -> Void) async throws -> Double {
          var request = request("Write a poem about rain.", maxTokens: 48) { $0.logProbs = true }
          change(&request.sampling)
          let tokens = try await executor.collect(request).logProbs.map(\.token)
          return Double(Set(tokens).count) / Double(tokens.count)
        }
        let plain = try await novelty { _ in }
        #expect(plain < 0.5)
        #expect(try await novelty { $0.repetitionPenalty = 1 } == plain)
        #expect(try await novelty { $0.repetitionPenalty = 1.5 } > plain + 0.2)
        #expect(try await novelty { $0.presencePenalty = 2 } > plain + 0.2)
        #expect(try await novelty { $0.frequencyPenalty = 2 } > plain + 0.2)
        #expect(try await novelty { $0.frequencyPenalty = -2 } < plain - 0.1)
        await executor.close()
      }

      @Test func `a bias forces a token or forbids it`() async throws {
        let executor = try executor()
        var request = request("Why is the sky blue?", maxTokens: 8) {
          $0.model = Self.model
          $0.logProbs = true
        }
        let plain = try await executor.collect(request)
        let first = try #require(plain.logProbs.first?.token)
        request.sampling.logitBias = [first: -100]
        let without = try await executor.collect(request)
        #expect(!without.logProbs.isEmpty)
        #expect(!without.logProbs.contains { $0.token == first })
        request.sampling.logitBias = [first: 100]
        let forced = try await executor.collect(request)
        #expect(forced.logProbs.map(\.token) == Array(repeating: first, count: 8))
        // What the model itself thinks of it stays what it was, and falls where it is forced.
        #expect(forced.logProbs.first == plain.logProbs.first)
        #expect(forced.logProbs[1].logProb < -1)
        await executor.close()
      }

      @Test func `a bias for another model's tokens, or for none, is refused`() async throws {
        let executor = try executor()
        for (model, token, code) in [
          ("gpt-4o-mini", 5, ErrorCode.unsupportedFeature), (Self.model, 49_152, .invalidRequest),
        ] {
          let request = request("Hi") {
            $0.model = model
            $0.sampling.logitBias = [token: 1]
          }
          let error = await #expect(throws: HybridError.self) {
            try await executor.collect(request)
          }
          #expect(error?.code == code)
          #expect(error?.nextStep != nil)
        }
        // Neither loaded the weights.
        #expect(await executor.status().state == .notLoaded)
      }

      @Test func `log-probabilities come with all of the text and only of it`() async throws {
        let executor = try executor()
        let request = request("Why is the sky blue? Answer with 🦊 emojis.", maxTokens: 40) {
          $0.topLogProbs = 3
        }
        let answer = try await executor.collect(request)
        // The last one may hold half a character.
        let bytes = answer.logProbs.flatMap { $0.bytes ?? [] }
        #expect(String(decoding: bytes, as: UTF8.self) == answer.text)
        for token in answer.logProbs {
          #expect(token.logProb <= 0)
          #expect(token.alternatives.count == 3)
          // Greedy: the likeliest is the chosen one.
          #expect(token.alternatives.first?.token == token.token)
          #expect(token.alternatives.first?.logProb == token.logProb)
        }
        var without = request
        without.topLogProbs = nil
        let plain = try await executor.collect(without)
        #expect(plain.text == answer.text)
        #expect(plain.logProbs == [])
        await executor.close()
      }

      @Test func `a stop string cuts the log-probabilities with the text`() async throws {
        let executor = try executor()
        let whole = try await executor.collect(request("Why is the sky blue?", maxTokens: 24))
        // From the middle of a word, so that the stop string cuts a token in two.
        let words = whole.text.split(separator: " ")
        let stop = String(words[5].dropFirst()) + " " + words[6]
        let answer = try await executor.collect(
          request("Why is the sky blue?", maxTokens: 24) {
            $0.stop = [stop]
            $0.logProbs = true
          })
        #expect(answer.completion?.finishReason == .stop)
        #expect(!answer.text.contains(stop))
        let told = answer.logProbs.map(\.text).joined()
        #expect(answer.text.hasPrefix(told))
        #expect(told == whole.text.prefix(told.count))
        #expect(answer.text.count - told.count < words[5].count + 1)
        await executor.close()
      }

      @Test func `what is told equals the logits of a decode of one's own`() throws {
        let context = try ContextTests.context()
        let prompt = Array(Token(1000)..<1040)
        var settings = SamplerSettings.greedy
        settings.topLogProbs = 5
        let size = context.model.tokenCount
        var sampler = try LlamaSampler(settings, vocabularySize: size, prompt: prompt)
        for (place, token) in prompt.enumerated() {
          let isAdded = context.addToBatch(
            token, position: place, wantsLogits: place == prompt.count - 1)
          #expect(isAdded)
        }
        for step in 0..<16 {
          let outcome = context.decode()
          #expect(outcome == .done)
          let logits = context.logits()
          #expect(logits.count == size)
          let best = logits.indices.max { (logits[$0], $1) < (logits[$1], $0) }
          let sum = log(logits.reduce(0.0) { $0 + exp(Double($1)) })
          let drawn = context.sample(with: &sampler)
          let sampled = try #require(drawn)
          #expect(sampled.token == best.map { Token($0) })
          let expected = Double(logits[Int(sampled.token)]) - sum
          #expect(abs(Double(try #require(sampled.logProb)) - expected) < 1e-4)
          #expect(
            sampled.alternatives.map(\.logProb) == sampled.alternatives.map(\.logProb).sorted(by: >)
          )
          sampler.accept(sampled.token)
          context.clearBatch()
          let isAdded = context.addToBatch(
            sampled.token, position: prompt.count + step, wantsLogits: true)
          #expect(isAdded)
        }
      }

      @Test(arguments: [
        SamplerSettings.Random(temperature: 1.2, topK: 40, topP: 1, minP: 0, seed: 0),
        SamplerSettings.Random(seed: 1), SamplerSettings.Random(temperature: 1.5, topK: 0, seed: 2),
      ])
      func `a draw is the one of llama.cpp's chain, for any seed`(
        random: SamplerSettings.Random
      ) throws {
        let context = try ContextTests.context()
        let size = context.model.tokenCount
        for start in stride(from: Token(100), to: 40_000, by: 10_000) {
          context.clearMemory()
          context.clearBatch()
          for place in 0..<8 {
            let isAdded = context.addToBatch(
              start + Token(place), position: place, wantsLogits: place == 7)
            #expect(isAdded)
          }
          let outcome = context.decode()
          #expect(outcome == .done)
          let logits = context.logits()
          for seed in UInt32(0)..<10 {
            var settings = random
            settings.seed = random.seed &+ seed &* 7919
            var ours = try LlamaSampler(.random(settings), vocabularySize: size)
            var theirs = PlainChain(.random(settings), vocabularySize: size)
            for _ in 0..<2 {
              let sampled = context.sample(with: &ours)
              let expected = theirs.next(logits)
              #expect(sampled?.token == expected)
            }
          }
        }
      }
    }
  }
#endif

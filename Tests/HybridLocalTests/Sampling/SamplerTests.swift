#if LocalLlama
  import Foundation
  import HybridLocal
  import HybridTesting
  import Testing

  /// The sampler on made-up logits, with no model.
  struct SamplerTests {
    /// Like a model's: most far below a few, in steps of about a millionth, so that some are equal.
    private static func logits(_ count: Int, _ random: inout some RandomNumberGenerator) -> [Float]
    {
      (0..<count).map { _ in
        // The sum of three is bell-shaped.
        let sum = (0..<3).reduce(0) { sum, _ in sum + Float.random(in: -6...6, using: &random) }
        return sum
      }
    }

    private static let draws: [SamplerSettings.Random] = [
      .init(seed: 1), .init(temperature: 1.7, topK: 40, topP: 1, minP: 0, seed: 2),
      .init(temperature: 0.3, topK: 1, topP: 0.5, minP: 0.5, seed: 3),
      .init(temperature: 1, topK: 2, topP: 0.01, minP: 0, seed: 4),
      .init(temperature: 1, topK: 0, topP: 0.9, minP: 0.02, seed: 5),
      .init(temperature: 1, topK: 700, topP: 0.99, minP: 0, seed: 6),
      .init(temperature: 2, topK: .max, topP: 1, minP: 0, seed: 7),
    ]

    @Test(arguments: draws, [1, 7, 64, 65, 1000, 4096, 49_152])
    func `draws what llama.cpp's chain draws over all candidates`(
      random: SamplerSettings.Random, count: Int
    ) throws {
      var generator = SeededGenerator(seed: UInt64(count))
      for seed in UInt32(0)..<(count > 1000 ? 2 : 6) {
        var random = random
        random.seed += seed * 1000
        var ours = try LlamaSampler(.random(random), vocabularySize: count)
        var theirs = PlainChain(.random(random), vocabularySize: count)
        for _ in 0..<(count > 1000 ? 2 : 12) {
          var logits = Self.logits(count, &generator)
          let token = ours.sample(from: &logits)?.token
          let expected = theirs.next(logits)
          #expect(token == expected)
          if let token { ours.accept(token) }
        }
      }
    }

    private static func penalties() -> [SamplerSettings] {
      var settings: [SamplerSettings] = []
      for choice in [
        SamplerSettings.Choice.greedy, .random(.init(temperature: 1, minP: 0, seed: 11)),
      ] {
        for (repetition, presence, frequency) in [
          (1.3, 0, 0), (0.5, 0, 0), (1, 1.5, 0), (1, 0, 0.7), (1, -2, -0.5), (1, 0.5, 0.5),
        ] as [(Float, Float, Float)] {
          var one = SamplerSettings(choice)
          one.repetitionPenalty = repetition
          one.presencePenalty = presence
          one.frequencyPenalty = frequency
          one.logitBias = [3: 2, 4: -100, 5: 0.25]
          settings.append(one)
        }
      }
      return settings
    }

    @Test(arguments: penalties())
    func `penalties and bias change what llama.cpp's change`(settings: SamplerSettings) throws {
      let count = 200
      var settings = settings
      let prompt = (0..<50).map { Token($0 % 20) }
      // llama.cpp has one window for all; with the answer's length, it is ours too.
      settings.penaltyWindow = settings.repetitionPenalty == 1 ? 500 : 24
      let told = settings.repetitionPenalty == 1 ? [] : prompt
      var ours = try LlamaSampler(settings, vocabularySize: count, prompt: prompt)
      var theirs = PlainChain(settings, vocabularySize: count, prompt: told)
      var generator = SeededGenerator(seed: 5)
      let base = Self.logits(count, &generator)
      for _ in 0..<300 {
        var logits = base
        let drawn = ours.sample(from: &logits)
        let token = try #require(drawn?.token)
        let expected = theirs.next(base)
        #expect(logits == base)
        #expect(token == expected)
        ours.accept(token)
      }
    }

    @Test func `presence and frequency do not count the prompt, repetition does`() throws {
      func first(_ change: (inout SamplerSettings) -> Void) throws -> Token? {
        var settings = SamplerSettings.greedy
        change(&settings)
        var sampler = try LlamaSampler(settings, vocabularySize: 3, prompt: [1, 1, 1])
        var logits: [Float] = [0, 2, 1.5]
        return sampler.sample(from: &logits)?.token
      }
      #expect(try first { _ in } == 1)
      #expect(try first { $0.presencePenalty = 2 } == 1)
      #expect(try first { $0.frequencyPenalty = 2 } == 1)
      #expect(try first { $0.repetitionPenalty = 2 } == 2)
    }

    @Test func `the penalty window forgets`() throws {
      var settings = SamplerSettings.greedy
      settings.repetitionPenalty = 10
      settings.penaltyWindow = 2
      var sampler = try LlamaSampler(settings, vocabularySize: 4)
      var logits: [Float] = [1, 4, 3, 2]
      var tokens: [Token] = []
      for _ in 0..<7 {
        let drawn = sampler.sample(from: &logits)
        let token = try #require(drawn?.token)
        sampler.accept(token)
        tokens.append(token)
      }
      #expect(tokens == [1, 2, 3, 1, 2, 3, 1])
    }

    @Test(arguments: [0, 63, 64, 8191, 8195], [SamplerSettings.greedy, .random(.init(seed: 1))])
    func `logits that are no numbers give no token, wherever they are`(
      place: Int, settings: SamplerSettings
    ) throws {
      for bad in [Float.nan, .signalingNaN, .infinity] {
        var settings = settings
        for topLogProbs in [nil, 3] {
          settings.topLogProbs = topLogProbs
          var sampler = try LlamaSampler(settings, vocabularySize: 8196)
          var logits = [Float](repeating: -1, count: 8196)
          logits[place] = bad
          let sampled = sampler.sample(from: &logits)
          #expect(sampled == nil)
        }
      }
    }

    @Test func `logits that exclude a token are numbers, and those that exclude all give none`()
      throws
    {
      for settings in [SamplerSettings.greedy, .random(.init(seed: 1))] {
        var sampler = try LlamaSampler(settings, vocabularySize: 5000)
        var logits = [Float](repeating: -.infinity, count: 5000)
        let none = sampler.sample(from: &logits)
        #expect(none == nil)
        logits[4321] = -80
        let only = sampler.sample(from: &logits)
        #expect(only?.token == 4321)
      }
    }

    @Test(arguments: [3, 64, 5000, 49_152])
    func `log-probabilities are those of the logits alone`(count: Int) throws {
      var generator = SeededGenerator(seed: 9)
      var logits = Self.logits(count, &generator)
      let sum = log(logits.reduce(0.0) { $0 + exp(Double($1)) })
      var settings = SamplerSettings.random(.init(temperature: 1.5, topK: 5, seed: 4))
      settings.topLogProbs = 20
      settings.repetitionPenalty = 1.5
      settings.logitBias = [0: 50]
      var sampler = try LlamaSampler(settings, vocabularySize: count, prompt: [0, 1, 2])
      let drawn = sampler.sample(from: &logits)
      let sampled = try #require(drawn)
      #expect(sampled.token == 0)
      let logProb = try #require(sampled.logProb)
      #expect(abs(Double(logProb) - (Double(logits[0]) - sum)) < 1e-4)
      let best = logits.indices.sorted { (-logits[$0], $0) < (-logits[$1], $1) }.prefix(20)
      #expect(sampled.alternatives.map(\.token) == best.map { Token($0) })
      for alternative in sampled.alternatives {
        let expected = Double(logits[Int(alternative.token)]) - sum
        #expect(abs(Double(alternative.logProb) - expected) < 1e-4)
      }
    }

    @Test func `of equal logits the first counts`() throws {
      var settings = SamplerSettings.greedy
      settings.topLogProbs = 3
      var sampler = try LlamaSampler(settings, vocabularySize: 3000)
      var logits = [Float](repeating: 1, count: 3000)
      let drawn = sampler.sample(from: &logits)
      let sampled = try #require(drawn)
      #expect(sampled.token == 0)
      #expect(sampled.alternatives.map(\.token) == [0, 1, 2])
    }
  }
#endif

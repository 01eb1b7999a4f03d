package import HybridCore

/// How the next token is chosen, with every default filled in.
package struct SamplerSettings: Sendable, Hashable {
  package enum Choice: Sendable, Hashable {
    /// The likeliest token each time.
    case greedy
    case random(Random)
  }

  package struct Random: Sendable, Hashable {
    /// Over 0.
    package var temperature: Float
    /// 0 keeps all.
    package var topK: Int32
    /// 1 keeps all.
    package var topP: Float
    /// 0 keeps all.
    package var minP: Float
    package var seed: UInt32

    package init(
      temperature: Float = 0.8, topK: Int32 = 40, topP: Float = 0.95, minP: Float = 0.05,
      seed: UInt32
    ) {
      self.temperature = temperature
      self.topK = topK
      self.topP = topP
      self.minP = minP
      self.seed = seed
    }
  }

  package var choice: Choice
  /// 1 is off.
  package var repetitionPenalty: Float = 1
  /// Tokens that the repetition penalty looks back at, those of the prompt included.
  package var penaltyWindow: Int32 = 64
  /// 0 is off; counts tokens of the answer.
  package var presencePenalty: Float = 0
  /// 0 is off; counts tokens of the answer.
  package var frequencyPenalty: Float = 0
  package var logitBias: [Token: Float] = [:]
  /// Alternatives told with each token; nil: no log-probabilities.
  package var topLogProbs: Int?

  package init(_ choice: Choice) {
    self.choice = choice
  }

  package static let greedy = SamplerSettings(.greedy)

  package static func random(_ random: Random) -> SamplerSettings {
    SamplerSettings(.random(random))
  }

  /// Fills in llama.cpp's own defaults: temperature 0.8, top-k 40, top-p 0.95, min-p 0.05, a penalty
  /// window of 64.
  ///
  /// - Parameters:
  ///   - sampling: every number in its range; see `Sampling.validate()`.
  ///   - topLogProbs: as in the request.
  ///   - seed: used where the request has none.
  package init(
    _ sampling: Sampling, topLogProbs: Int? = nil, seed: @autoclosure () -> UInt32
  ) {
    var random = Random(seed: sampling.drawSeed ?? seed())
    if let value = sampling.temperature { random.temperature = Float(value) }
    if let value = sampling.topP { random.topP = Float(value) }
    if let value = sampling.minP { random.minP = Float(value) }
    if let value = sampling.topK { random.topK = Int32(clamping: value) }
    choice = random.temperature < Self.coldest ? .greedy : .random(random)
    if let value = sampling.repetitionPenalty { repetitionPenalty = Float(value) }
    if let value = sampling.penaltyWindow { penaltyWindow = Int32(clamping: value) }
    if let value = sampling.presencePenalty { presencePenalty = Float(value) }
    if let value = sampling.frequencyPenalty { frequencyPenalty = Float(value) }
    for (token, bias) in sampling.logitBias { logitBias[Token(clamping: token)] = Float(bias) }
    self.topLogProbs = topLogProbs
  }

  /// The same for one of several choices, which draws for itself.
  package func drawing(choice index: Int) -> SamplerSettings {
    guard case .random(var random) = choice else { return self }
    random.seed = Sampling.seed(random.seed, ofChoice: index)
    var settings = self
    settings.choice = .random(random)
    return settings
  }

  /// Below it the likeliest token has all of the probability, and logits divided by it may no longer
  /// be finite.
  private static let coldest: Float = 1e-5

  /// - Throws: `invalidRequest` for a bias on a token that the vocabulary does not have.
  package func requireTokens(in vocabularySize: Int) throws(HybridError) {
    guard let token = logitBias.keys.filter({ $0 >= vocabularySize }).min() else { return }
    throw HybridError(
      .invalidRequest, "the model has no token \(token): its last is \(vocabularySize - 1)",
      nextStep: "Bias tokens of this model",
      details: ["field": "logitBias", "token": .int(Int(token))], side: .local)
  }
}

/// How the next token is chosen. Unset fields are left to the side that runs: nothing is sent to a
/// gateway, and the local side uses its documented defaults.
///
/// Both sides go by the same order: logit bias, penalties, top-k, top-p, min-p, temperature, draw.
public struct Sampling: Sendable, Hashable {
  /// 0 is greedy: the likeliest token each time. 0…2.
  public var temperature: Double?

  /// Keep the likeliest tokens whose probabilities sum to this. Over 0, up to 1.
  public var topP: Double?

  /// Keep this many of the likeliest tokens; 0 keeps all.
  public var topK: Int?

  /// Keep tokens at least this likely, relative to the likeliest. 0…1.
  public var minP: Double?

  /// Makes a draw repeatable on the same side, model and machine. The greatest of all counts as the
  /// one before it, since llama.cpp takes it for "any seed".
  public var seed: UInt32?

  /// Divides the positive logits of tokens among the last ``penaltyWindow`` and multiplies the
  /// others by this. 1 is off, less than 1 rewards repetition. 0.1…10.
  public var repetitionPenalty: Double?

  /// How many tokens the repetition penalty looks back at, those of the prompt included; at least 1.
  /// nil: 64 locally, a gateway's own number there, which for many is all of them.
  public var penaltyWindow: Int?

  /// Taken from the logit of each token that the answer has already. −2…2. The prompt does not count,
  /// except for a gateway that is a llama-server: there it does, as far as the window reaches.
  public var presencePenalty: Double?

  /// Taken from a token's logit for each time that the answer has it. −2…2, counted likewise.
  public var frequencyPenalty: Double?

  /// Added to the logits of tokens, by their numbers in the model's vocabulary: −100 all but forbids
  /// one, 100 all but forces it.
  ///
  /// The numbers mean other tokens for another model, so a request with a bias must name its model,
  /// and only a side that has this very model takes it: no stand-in does.
  public var logitBias: [Int: Double]

  public init(
    temperature: Double? = nil, topP: Double? = nil, topK: Int? = nil, minP: Double? = nil,
    seed: UInt32? = nil, repetitionPenalty: Double? = nil, penaltyWindow: Int? = nil,
    presencePenalty: Double? = nil, frequencyPenalty: Double? = nil,
    logitBias: [Int: Double] = [:]
  ) {
    self.temperature = temperature
    self.topP = topP
    self.topK = topK
    self.minP = minP
    self.seed = seed
    self.repetitionPenalty = repetitionPenalty
    self.penaltyWindow = penaltyWindow
    self.presencePenalty = presencePenalty
    self.frequencyPenalty = frequencyPenalty
    self.logitBias = logitBias
  }

  /// The likeliest token at every step.
  public static let greedy = Sampling(temperature: 0)

  /// The seed as either side is given it.
  package var drawSeed: UInt32? { seed.map { min($0, .max - 1) } }

  /// The seed of one of several choices: the number after that of the choice before, and 0 after the
  /// greatest. llama-server counts likewise.
  ///
  /// - Parameter seed: the first choice's, below the greatest of all.
  package static func seed(_ seed: UInt32, ofChoice index: Int) -> UInt32 {
    UInt32((UInt64(seed) + UInt64(index)) % UInt64(UInt32.max))
  }
}

extension Sampling {
  /// What it needs beyond temperature, top-p and seed, which every side has.
  var features: Set<Feature> {
    var needed: Set<Feature> = []
    if topK != nil { needed.insert(.topK) }
    if minP != nil { needed.insert(.minP) }
    if repetitionPenalty != nil || penaltyWindow != nil { needed.insert(.repetitionPenalty) }
    if presencePenalty != nil { needed.insert(.presencePenalty) }
    if frequencyPenalty != nil { needed.insert(.frequencyPenalty) }
    if !logitBias.isEmpty { needed.insert(.logitBias) }
    return needed
  }
}

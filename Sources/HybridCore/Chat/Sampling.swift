/// How the next token is chosen. Unset fields are left to the side that runs: nothing is sent to a
/// gateway, and the local side uses its documented defaults.
public struct Sampling: Sendable, Hashable {
  /// 0 is greedy: the likeliest token each time. 0…2.
  public var temperature: Double?

  /// Keep the likeliest tokens whose probabilities sum to this. Over 0, up to 1.
  public var topP: Double?

  /// Keep this many of the likeliest tokens; 0 keeps all.
  public var topK: Int?

  /// Keep tokens at least this likely, relative to the likeliest. 0…1.
  public var minP: Double?

  /// Makes a draw repeatable on the same side, model and machine.
  public var seed: UInt32?

  public init(
    temperature: Double? = nil, topP: Double? = nil, topK: Int? = nil, minP: Double? = nil,
    seed: UInt32? = nil
  ) {
    self.temperature = temperature
    self.topP = topP
    self.topK = topK
    self.minP = minP
    self.seed = seed
  }

  /// The likeliest token at every step.
  public static let greedy = Sampling(temperature: 0)
}

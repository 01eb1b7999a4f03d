/// A token of an answer with the logarithm of its probability, as the model alone saw it: over the
/// whole vocabulary, before bias, penalties, temperature and filters.
public struct TokenLogProb: Sendable, Hashable {
  /// What it stands for in the answer. U+FFFD for what is part of a character: see ``bytes``.
  public var text: String

  /// Its bytes; nil where a gateway does not tell them.
  public var bytes: [UInt8]?

  /// Its number in the model's vocabulary; nil where a gateway does not tell it.
  public var token: Int?

  /// The natural logarithm of its probability, 0 or less.
  public var logProb: Double

  /// The likeliest tokens at its place, likeliest first, as many as were asked for; the chosen one is
  /// among them where it is that likely.
  public var alternatives: [Alternative]

  /// A token that could have stood there.
  public struct Alternative: Sendable, Hashable {
    public var text: String
    public var bytes: [UInt8]?
    public var token: Int?
    public var logProb: Double

    public init(text: String, bytes: [UInt8]?, token: Int?, logProb: Double) {
      self.text = text
      self.bytes = bytes
      self.token = token
      self.logProb = logProb
    }
  }

  public init(
    text: String, bytes: [UInt8]?, token: Int?, logProb: Double,
    alternatives: [Alternative] = []
  ) {
    self.text = text
    self.bytes = bytes
    self.token = token
    self.logProb = logProb
    self.alternatives = alternatives
  }
}

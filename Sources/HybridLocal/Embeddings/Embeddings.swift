public import HybridCore

/// Texts as vectors: what lies near in meaning lies near in direction.
public struct Embeddings: Sendable, Hashable {
  /// One a text, in the order of the texts; ``dimension`` numbers each, none of them infinite or NaN.
  public var vectors: [[Float]]

  /// Tokens of each text as it was embedded, the ones that the model puts around it included. Counted.
  public var tokenCounts: [Int]

  /// The texts that were cut, where the options allow that; empty otherwise.
  public var truncations: [Truncation]

  /// The model's name: its file's stem.
  public var model: String

  /// Numbers of one vector.
  public var dimension: Int

  /// How the outputs of a text's tokens became one vector.
  public var pooling: Pooling

  /// True where each vector has the Euclidean length 1 (0 where all its numbers are 0): then the product
  /// of two is the cosine between them.
  public var isNormalised: Bool

  /// `queue`, `load` where the model was loaded meanwhile, `prefill` for the computation, and `total`.
  public var timings: Timings

  /// Tokens of all texts.
  public var promptTokens: Int { tokenCounts.reduce(0, +) }

  public init(
    vectors: [[Float]], tokenCounts: [Int], truncations: [Truncation] = [], model: String,
    dimension: Int, pooling: Pooling, isNormalised: Bool, timings: Timings = Timings()
  ) {
    self.vectors = vectors
    self.tokenCounts = tokenCounts
    self.truncations = truncations
    self.model = model
    self.dimension = dimension
    self.pooling = pooling
    self.isNormalised = isNormalised
    self.timings = timings
  }

  /// A text of which only the beginning was embedded.
  public struct Truncation: Sendable, Hashable {
    /// The text's place among those asked for, from 0.
    public var index: Int
    /// Tokens that the whole text has.
    public var tokens: Int
    /// Tokens that were embedded.
    public var kept: Int

    public init(index: Int, tokens: Int, kept: Int) {
      self.index = index
      self.tokens = tokens
      self.kept = kept
    }
  }

  /// The cosine between two of the vectors, −1…1: 1 for the same direction. 0 where one has none.
  public func similarity(_ first: Int, _ second: Int) -> Double {
    vectors[first].cosine(to: vectors[second])
  }
}

extension [Float] {
  /// Divided by its Euclidean length. A vector of zeros, which has no direction, stays as it is.
  package func normalised() -> [Float] {
    let length = dot(self).squareRoot()
    // Below the smallest normal number nothing can be divided by it any more.
    guard length.isNormal else { return self }
    return map { Float(Double($0) / length) }
  }

  /// The cosine between two vectors of one length; 0 where one has no direction.
  package func cosine(to other: [Float]) -> Double {
    let lengths = (dot(self) * other.dot(other)).squareRoot()
    return lengths.isNormal ? dot(other) / lengths : 0
  }

  /// In double precision: the squares of numbers that a Float just holds do not fit one.
  private func dot(_ other: [Float]) -> Double {
    zip(self, other).reduce(0) { $0 + Double($1.0) * Double($1.1) }
  }
}

package import HybridCore

/// How far a copy's answers may be from the original's.
///
/// Both are measured over the built-in text. What they came to for SmolLM2-135M-Instruct in Q4_1, over
/// 1,007 places (the divergence, and the ratio with its standard error):
///
///     Q8_0      0.0053    0.999 ± 0.004
///     IQ4_NL    0.193     1.178 ± 0.025
///     Q4_0      0.254     1.195 ± 0.029
///
/// So the default limits admit what is lossless within noise, and nothing else.
public struct QualityLimits: Sendable, Hashable {
  /// The most that the mean Kullback-Leibler divergence over the whole vocabulary may be, in nats.
  public var divergence: Double

  /// The most that the perplexity ratio may be away from 1, on either side: 0.01 is one per cent.
  public var perplexity: Double

  public init(divergence: Double = 0.01, perplexity: Double = 0.01) {
    self.divergence = divergence
    self.perplexity = perplexity
  }

  /// Only what is lossless within noise.
  public static let lossless = QualityLimits()

  /// - Throws: `invalidConfiguration` with the limit's name under `option`.
  package func validate() throws(HybridError) {
    for (name, value) in [("divergence", divergence), ("perplexity", perplexity)] {
      guard value.isFinite, (0...100).contains(value) else {
        throw HybridError(
          .invalidConfiguration, "the limit on \(name) is \(value), which is not possible",
          nextStep: "Give a number from 0 to 100",
          details: ["option": .string(name), "value": .double(value)], side: .local)
      }
    }
  }
}

/// What a copy's answers are like, beside the original's over the same text.
public struct CopyQuality: Sendable, Hashable {
  /// The Kullback-Leibler divergence of its next-token distribution from the original's, over the whole
  /// vocabulary, in nats; the mean over all places of the text.
  public var divergence: Double
  /// Its perplexity over the original's.
  public var perplexityRatio: Double
  /// The standard error of that ratio.
  public var ratioError: Double
  /// Places of the text that were compared.
  public var tokens: Int

  public init(divergence: Double, perplexityRatio: Double, ratioError: Double, tokens: Int) {
    self.divergence = divergence
    self.perplexityRatio = perplexityRatio
    self.ratioError = ratioError
    self.tokens = tokens
  }

  /// From what was measured at each place: −log p of the token that follows there, by the original and
  /// by the copy, and the divergence.
  ///
  /// - Returns: nil for no places.
  init?(original: [Double], copy: [Double], divergences: [Double]) {
    guard !copy.isEmpty, original.count == copy.count, divergences.count == copy.count else {
      return nil
    }
    let count = Double(copy.count)
    let differences = zip(copy, original).map { $0 - $1 }
    let mean = differences.reduce(0, +) / count
    let variance =
      differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / max(1, count - 1)
    perplexityRatio = mean.exponential
    ratioError = perplexityRatio * (variance / count).squareRoot()
    divergence = divergences.reduce(0, +) / count
    tokens = copy.count
  }
}

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

extension Double {
  fileprivate var exponential: Double { exp(self) }
}

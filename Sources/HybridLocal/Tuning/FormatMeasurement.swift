/// One row of the table: a file in one format, measured on this CPU.
public struct FormatMeasurement: Sendable, Hashable {
  /// Its name, such as `Q8_0`.
  public var format: String
  /// The file's bytes.
  public var size: UInt64
  /// Bytes that the weights take in memory.
  public var memory: UInt64
  /// Tokens a second.
  public var prefill: Double
  /// Tokens a second.
  public var decode: Double
  /// Beside the original; nil for the original itself.
  public var quality: CopyQuality?

  public init(
    format: String, size: UInt64, memory: UInt64, prefill: Double, decode: Double,
    quality: CopyQuality? = nil
  ) {
    self.format = format
    self.size = size
    self.memory = memory
    self.prefill = prefill
    self.decode = decode
    self.quality = quality
  }

  /// How many times as fast as `other` it does a request of 256 prompt tokens and 64 of output: what it
  /// gains in prefill and what in decode, as a chat has them.
  public func gain(over other: FormatMeasurement) -> Double {
    func seconds(_ file: FormatMeasurement) -> Double { 256 / file.prefill + 64 / file.decode }
    return seconds(other) / seconds(self)
  }
}

/// What becomes of a copy, and why.
public enum CopyVerdict: Sendable, Hashable {
  /// It is within the limits and the fastest that is.
  case kept
  /// It is within the limits, and another one is faster.
  case admitted
  /// Its answers are too far from the original's.
  case divergence(limit: Double)
  case perplexity(limit: Double)
  /// It gains less than it has to.
  case notFaster(least: Double)
  /// It could not be made or measured; a sentence without its full stop.
  case failed(String)

  /// Judges all copies together.
  ///
  /// - Returns: a verdict each, in their order; at most one is ``kept``.
  static func of(
    _ copies: [FormatMeasurement], original: FormatMeasurement, limits: QualityLimits,
    leastGain: Double
  ) -> [CopyVerdict] {
    var verdicts = copies.map { copy -> CopyVerdict in
      guard let quality = copy.quality else { return .failed("its answers were not compared") }
      // Written so that what is no number is refused.
      guard quality.divergence <= limits.divergence else {
        return .divergence(limit: limits.divergence)
      }
      guard (quality.perplexityRatio - 1).magnitude <= limits.perplexity else {
        return .perplexity(limit: limits.perplexity)
      }
      guard copy.gain(over: original) >= leastGain else { return .notFaster(least: leastGain) }
      return .admitted
    }
    let best = copies.indices.filter { verdicts[$0] == .admitted }
      .max { copies[$0].gain(over: original) < copies[$1].gain(over: original) }
    if let best { verdicts[best] = .kept }
    return verdicts
  }
}

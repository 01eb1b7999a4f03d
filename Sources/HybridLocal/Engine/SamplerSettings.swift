package import HybridCore

/// How the next token is chosen, with every default filled in.
package enum SamplerSettings: Sendable, Hashable {
  /// The likeliest token each time.
  case greedy
  case random(Random)

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

  /// Fills in llama.cpp's own defaults: temperature 0.8, top-k 40, top-p 0.95, min-p 0.05.
  ///
  /// - Parameters:
  ///   - sampling: every number in its range; see `Sampling.validate()`.
  ///   - seed: used where the request has none.
  package init(_ sampling: Sampling, seed: @autoclosure () -> UInt32) {
    if sampling.temperature == 0 {
      self = .greedy
      return
    }
    var random = Random(seed: sampling.seed ?? seed())
    if let value = sampling.temperature { random.temperature = Float(value) }
    if let value = sampling.topP { random.topP = Float(value) }
    if let value = sampling.minP { random.minP = Float(value) }
    if let value = sampling.topK { random.topK = Int32(clamping: value) }
    self = .random(random)
  }
}

package import HybridCore

/// How the next token is chosen, with every default filled in and every range checked.
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
  /// - Parameter seed: used where the request has none.
  /// - Throws: `invalidRequest` for a number outside its range, NaN included.
  package init(_ sampling: Sampling, seed: @autoclosure () -> UInt32) throws(HybridError) {
    var random = Random(seed: 0)
    if let value = sampling.temperature {
      try Self.check("temperature", value, (0.0...2.0).contains(value), "from 0 to 2")
      random.temperature = Float(value)
    }
    if let value = sampling.topP {
      try Self.check("topP", value, value > 0 && value <= 1, "over 0, up to 1")
      random.topP = Float(value)
    }
    if let value = sampling.minP {
      try Self.check("minP", value, (0.0...1.0).contains(value), "from 0 to 1")
      random.minP = Float(value)
    }
    if let value = sampling.topK {
      try Self.check("topK", Double(value), value >= 0, "0 or more")
      random.topK = Int32(clamping: value)
    }
    if random.temperature == 0 {
      self = .greedy
      return
    }
    random.seed = sampling.seed ?? seed()
    self = .random(random)
  }

  private static func check(
    _ name: String, _ value: Double, _ isInRange: Bool, _ range: String
  ) throws(HybridError) {
    if isInRange { return }
    throw HybridError(
      .invalidRequest, "\(name) is \(value), which is not \(range)",
      nextStep: "Give a number \(range), or leave it out",
      details: ["param": .string(name)], side: .local)
  }
}

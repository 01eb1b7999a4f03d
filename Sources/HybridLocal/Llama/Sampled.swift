#if LocalLlama
  package import HybridCore

  /// What one step of sampling came to.
  package struct Sampled: Sendable, Hashable {
    package var token: Token

    /// The natural logarithm of its probability over the model's own logits, before bias, penalties,
    /// temperature and filters. nil where it was not asked for.
    package var logProb: Float?

    /// The likeliest tokens by the same measure, likeliest first.
    package var alternatives: [Alternative] = []

    package struct Alternative: Sendable, Hashable {
      package var token: Token
      package var logProb: Float
    }
  }

  extension LlamaModel {
    /// The same in texts; nil where no log-probability was asked for.
    package func logProb(of sampled: Sampled) -> TokenLogProb? {
      guard let logProb = sampled.logProb else { return nil }
      let bytes = piece(of: sampled.token)
      return TokenLogProb(
        text: String(decoding: bytes, as: UTF8.self), bytes: bytes, token: Int(sampled.token),
        logProb: Self.told(logProb),
        alternatives: sampled.alternatives.map { other in
          let bytes = piece(of: other.token)
          return TokenLogProb.Alternative(
            text: String(decoding: bytes, as: UTF8.self), bytes: bytes, token: Int(other.token),
            logProb: Self.told(other.logProb))
        })
    }

    /// A model may exclude a token altogether, and JSON has no infinity.
    private static func told(_ logProb: Float) -> Double { max(Double(logProb), -9999) }
  }
#endif

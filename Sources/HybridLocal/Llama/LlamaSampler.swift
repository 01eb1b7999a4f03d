#if LocalLlama
  import CHybridLlama
  package import HybridCore

  /// Turns logits into the next token. Belongs to one answer: it remembers the state of its draw and
  /// the tokens that the penalties count.
  ///
  /// A token costs about 0.04 ms for a vocabulary of 49,152 and 0.1 ms for one of 151,936, five times
  /// that with log-probabilities. Where top-k is off or keeps more than a 256th of the vocabulary,
  /// llama.cpp's own samplers sort what top-p and min-p leave of it: up to 5 and 17 ms.
  @safe package struct LlamaSampler: ~Copyable {
    private let handle: OpaquePointer
    private let topLogProbs: Int?

    /// - Parameters:
    ///   - vocabularySize: the model's number of tokens.
    ///   - prompt: the tokens that the repetition penalty may look back at.
    /// - Throws: `decodeFailed` where there is no memory for it.
    package init(
      _ settings: SamplerSettings, vocabularySize: Int, prompt: [Token] = []
    ) throws(HybridError) {
      var values = hybrid_llama_sampling()
      if case .random(let random) = settings.choice {
        values.temperature = random.temperature
        values.top_k = random.topK
        values.top_p = random.topP
        values.min_p = random.minP
        values.seed = random.seed
      }
      values.repetition_penalty = settings.repetitionPenalty
      values.penalty_window = settings.penaltyWindow
      values.presence_penalty = settings.presencePenalty
      values.frequency_penalty = settings.frequencyPenalty
      let biases = settings.logitBias.map { hybrid_llama_token_value(token: $0, value: $1) }
      let created = unsafe biases.withUnsafeBufferPointer { biases in
        unsafe hybrid_llama_sampler_create(&values, biases.baseAddress, biases.count)
      }
      guard let created = unsafe created else {
        throw HybridError(
          .decodeFailed, "llama.cpp could not make a sampler",
          nextStep: "Free memory and ask again", side: .local)
      }
      unsafe handle = created
      topLogProbs = settings.topLogProbs.map { min($0, vocabularySize) }
      for token in prompt.suffix(Int(settings.penaltyWindow)) {
        _ = unsafe hybrid_llama_sampler_accept(created, token, false)
      }
    }

    deinit {
      unsafe hybrid_llama_sampler_free(handle)
    }

    /// The answer goes on with `token`: penalties count it from now on.
    ///
    /// To be told once of every token, whether it was sampled here or not, before the next is sampled.
    package mutating func accept(_ token: Token) {
      _ = unsafe hybrid_llama_sampler_accept(handle, token, true)
    }

    /// The next token by these logits, one for each token of the vocabulary. Advances the draw.
    ///
    /// - Returns: nil when they are no numbers.
    package mutating func sample(from logits: inout [Float]) -> Sampled? {
      var logits = logits.mutableSpan
      return unsafe logits.withUnsafeMutableBufferPointer { logits in
        guard let start = logits.baseAddress else { return nil }
        let count = Int32(clamping: logits.count)
        return unsafe sample { sampler, top, topCount, logProb in
          unsafe hybrid_llama_sample_logits(sampler, start, count, top, topCount, logProb)
        }
      }
    }

    /// - Parameter draw: chooses the token, and fills in the rest where it is asked to.
    mutating func sample(
      _ draw: (
        OpaquePointer, UnsafeMutablePointer<hybrid_llama_token_value>?, Int32,
        UnsafeMutablePointer<Float>?
      ) -> Int32
    ) -> Sampled? {
      guard let topLogProbs else {
        let token = unsafe draw(handle, nil, 0, nil)
        return token < 0 ? nil : Sampled(token: token)
      }
      var token: Int32 = -1
      var logProb: Float = 0
      let top = unsafe [hybrid_llama_token_value](unsafeUninitializedCapacity: topLogProbs) {
        buffer, count in
        token = unsafe draw(handle, buffer.baseAddress, Int32(topLogProbs), &logProb)
        count = token < 0 ? 0 : topLogProbs
      }
      guard token >= 0 else { return nil }
      return Sampled(
        token: token, logProb: logProb,
        alternatives: top.map { Sampled.Alternative(token: $0.token, logProb: $0.value) })
    }
  }
#endif

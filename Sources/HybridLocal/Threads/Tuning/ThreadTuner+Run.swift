#if LocalLlama
  package import HybridCore

  extension ThreadTuner {
    /// Measures with a loaded model that nobody else uses, and forgets its sequences.
    ///
    /// Each measurement is 16 generated tokens, or a prompt of 64: for 135 million parameters on two
    /// cores two seconds in all, in proportion for others. Leaves the context at some tried count.
    ///
    /// - Parameter isCancelled: asked between two measurements.
    /// - Returns: the best counts; nil when cancelled, or when the system refuses the threads.
    /// - Throws: `decodeFailed`.
    package static func run(
      _ context: borrowing LlamaContext, guess: ThreadCounts, most: Int, time: any TimeSource,
      isCancelled: () -> Bool = { false }
    ) throws(HybridError) -> ThreadCounts? {
      var tuner = ThreadTuner(guess: guess, most: most)
      while let next = tuner.next {
        guard !isCancelled(), context.setThreads(next.threads) else { return nil }
        // The first step at a count wakes its threads.
        try step(context, from: 0, tokens: 1)
        let start = time.now()
        switch next.kind {
        case .decode: for place in 1...16 { try step(context, from: place, tokens: 1) }
        case .prefill: try step(context, from: 1, tokens: min(64, context.batchCapacity))
        }
        tuner.record(time.now() - start)
      }
      context.clearMemory()
      return tuner.result
    }

    private static func step(
      _ context: borrowing LlamaContext, from position: Int, tokens: Int
    ) throws(HybridError) {
      if position == 0 { context.clearMemory() }
      context.clearBatch()
      for place in 0..<tokens {
        // Which tokens does not matter: all cost the same.
        let isIn = context.addToBatch(
          Token(place % max(1, min(1_000, context.model.tokenCount))),
          position: position + place, wantsLogits: place == tokens - 1)
        guard isIn else { throw failed("does not take \(tokens) tokens") }
      }
      let outcome = context.decode()
      guard outcome == .done else { throw failed("ended \(outcome)") }
    }

    private static func failed(_ what: String) -> HybridError {
      HybridError(
        .decodeFailed, "a decode for tuning \(what)",
        nextStep: "Set the threads by hand; if it recurs, check that the model file is whole",
        side: .local)
    }
  }
#endif

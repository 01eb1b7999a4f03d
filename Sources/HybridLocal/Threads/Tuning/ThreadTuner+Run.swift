#if LocalLlama
  package import HybridCore

  extension ThreadTuner {
    /// Measures with a loaded model that nobody else uses, and forgets its sequences.
    ///
    /// Each measurement is 16 generated tokens, or a prompt of 64, after a warm-up of a fifth of a
    /// second: for 135 million parameters on two cores six seconds in all, in proportion for others.
    /// Each step computes with a pool of just its threads. Leaves the context at some tried count.
    ///
    /// - Parameters:
    ///   - budget: its CPUs are the most threads, and those that neighbours are looked for on.
    ///   - isCancelled: asked between two measurements.
    /// - Throws: `decodeFailed`.
    package static func run(
      _ context: borrowing LlamaContext, guess: ThreadCounts, machine: Machine, budget: CPUBudget,
      time: any TimeSource, isCancelled: () -> Bool = { false }
    ) throws(HybridError) -> Outcome {
      var tuner = ThreadTuner(guess: guess, most: budget.logicalCPUs)
      var neighbours = NeighbourWatch(machine.files, cpus: budget.allowed)
      var threads: Int?
      defer { context.clearMemory() }
      while let next = tuner.next {
        if isCancelled() { return .cancelled }
        if next.threads != threads {
          guard context.setThreads(next.threads) else { return .refused(threads: next.threads) }
          threads = next.threads
          guard try warmUp(context, time) else { return .cancelled }
        }
        context.clearMemory()
        // What comes first in the memory is not measured.
        guard try step(context, from: 0, tokens: 1) else { return .cancelled }
        let start = time.now()
        neighbours.begin(at: start, computeTime: context.computeTime)
        switch next.kind {
        case .decode:
          for place in 1...16 {
            guard try step(context, from: place, tokens: 1) else { return .cancelled }
          }
        case .prefill:
          guard try step(context, from: 1, tokens: min(64, context.batchCapacity)) else {
            return .cancelled
          }
        }
        let end = time.now()
        neighbours.end(at: end, computeTime: context.computeTime)
        tuner.record(end - start)
        // The sooner the better: beside a neighbour each further step takes several times as long.
        if let cpus = neighbours.crowding { return .crowded(cpus: cpus) }
      }
      return tuner.result.map { .counts($0) } ?? .cancelled
    }

    /// Steps until the threads of the count before have gone to sleep: they spin for a sixth of a
    /// second after their last work, on CPUs that the new ones may want.
    private static func warmUp(
      _ context: borrowing LlamaContext, _ time: any TimeSource
    ) throws(HybridError) -> Bool {
      let end = time.now() + .milliseconds(200)
      repeat {
        context.clearMemory()
        guard try step(context, from: 0, tokens: 1) else { return false }
      } while time.now() < end
      return true
    }

    /// - Returns: false when it was aborted.
    private static func step(
      _ context: borrowing LlamaContext, from position: Int, tokens: Int
    ) throws(HybridError) -> Bool {
      context.clearBatch()
      for place in 0..<tokens {
        // Which tokens does not matter: all cost the same.
        let isIn = context.addToBatch(
          Token(place % max(1, min(1_000, context.model.tokenCount))),
          position: position + place, wantsLogits: place == tokens - 1)
        guard isIn else { throw failed("does not take \(tokens) tokens") }
      }
      switch context.decode() {
      case .done: return true
      case .aborted: return false
      case let outcome: throw failed("ended \(outcome)")
      }
    }

    private static func failed(_ what: String) -> HybridError {
      HybridError(
        .decodeFailed, "a decode for tuning \(what)",
        nextStep: "Set the threads by hand; if it recurs, check that the model file is whole",
        side: .local)
    }
  }
#endif

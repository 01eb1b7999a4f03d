#if LocalLlama
  public import HybridCore

  extension LocalExecutor.Options {
    /// Refuses what no machine and no model could do. Lengths are compared with the model's own when
    /// its file is known.
    ///
    /// Asked by everything that would use the options; call it to learn of a mistake earlier.
    ///
    /// - Throws: `invalidConfiguration` with the option's name under `option`.
    public func validate() throws(HybridError) {
      let lengths = 1...LoadPlan.longest
      try Self.require(contextLength, in: lengths, "contextLength", "a number of tokens")
      try Self.require(totalContextLength, in: lengths, "totalContextLength", "a number of tokens")
      try Self.require(
        parallelRequests, in: LoadPlan.Sharing.range, "parallelRequests", "a number of requests")
      try Self.require(threads, in: ThreadSettings.range, "threads", "a number of threads")
      try Self.require(
        prefillThreads, in: ThreadSettings.range, "prefillThreads", "a number of threads")
      try Self.require(
        queueCapacity, in: 1...Self.longestQueue, "queueCapacity", "a number of requests")
      try Self.require(prefixCacheBytes, in: 0...Int.max, "prefixCacheBytes", "a number of bytes")
      if let unloadsAfter, unloadsAfter <= .zero {
        throw Self.invalid(
          "unloadsAfter", .seconds(unloadsAfter), "\(unloadsAfter.inSeconds) seconds",
          "Give more than 0 seconds, or leave it out")
      }
    }

    /// Requests that may wait: each holds its prompt.
    static let longestQueue = 1_000_000

    private static func require(
      _ value: Int?, in range: ClosedRange<Int>, _ name: String, _ kind: String
    ) throws(HybridError) {
      guard let value, !range.contains(value) else { return }
      let most = range.upperBound == .max ? "or more" : "to \(range.upperBound)"
      throw invalid(
        name, .int(value), "\(value)", "Give \(kind) from \(range.lowerBound) \(most)")
    }

    private static func invalid(
      _ name: String, _ value: JSONValue, _ text: String, _ nextStep: String
    ) -> HybridError {
      HybridError(
        .invalidConfiguration, "the option \(name) is \(text), which is not possible",
        nextStep: nextStep, details: ["option": .string(name), name: value], side: .local)
    }

    /// Whether answers guess ahead: a deterministic one never does.
    var looksAhead: Bool { usesPromptLookup && !isDeterministic }
  }
#endif

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
      try OptionRange.require(contextLength, in: lengths, "contextLength", "a number of tokens")
      try OptionRange.require(
        totalContextLength, in: lengths, "totalContextLength", "a number of tokens")
      try OptionRange.require(
        parallelRequests, in: LoadPlan.Sharing.range, "parallelRequests", "a number of requests")
      try OptionRange.require(threads, in: ThreadSettings.range, "threads", "a number of threads")
      try OptionRange.require(
        prefillThreads, in: ThreadSettings.range, "prefillThreads", "a number of threads")
      try OptionRange.require(
        queueCapacity, in: 1...OptionRange.longestQueue, "queueCapacity", "a number of requests")
      try OptionRange.require(
        prefixCacheBytes, in: 0...Int.max, "prefixCacheBytes", "a number of bytes")
      try OptionRange.requirePositive(unloadsAfter, "unloadsAfter")
    }

    /// Whether answers guess ahead: a deterministic one never does.
    var looksAhead: Bool { usesPromptLookup && !isDeterministic }
  }
#endif

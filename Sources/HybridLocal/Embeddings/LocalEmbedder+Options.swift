#if LocalLlama
  public import HybridCore

  extension LocalEmbedder {
    /// How the model is run. What is nil is chosen by the machine and the model.
    public struct Options: Sendable, Hashable {
      /// How a text's outputs become one vector. nil: as the model's file says. A chat model says
      /// nothing, and is refused without one.
      public var pooling: Pooling?

      /// Gives each vector the Euclidean length 1. Off: vectors are as the model has them.
      public var normalises: Bool

      /// Tokens that one text may have, those around it included; at most what the model was trained on.
      /// nil: that, at most 2,048, or 512 for models that also generate, and what memory allows.
      public var contextLength: Int?

      /// Cuts a text that is longer than that at its end, and says so in ``Embeddings/truncations``.
      /// Off: it is `contextTooLong`.
      public var truncates: Bool

      /// CPU threads. nil: `HYBRID_THREADS`, `LLAMA_ARG_THREADS`, else one a logical CPU within the CPU
      /// quota, of which the load of the moment decides how many are used.
      public var threads: Int?

      /// Texts that one request may have; more are `invalidRequest`.
      public var mostTexts: Int

      /// Requests that may be inside at once, the running one included; one more is `localBusy`.
      public var queueCapacity: Int

      /// Time without a request after which the model's memory is freed; the next request loads it
      /// again. Counts from the end of the last request, or from the load. nil: it stays loaded.
      public var unloadsAfter: Duration?

      public init(
        pooling: Pooling? = nil, normalises: Bool = true, contextLength: Int? = nil,
        truncates: Bool = false, threads: Int? = nil, mostTexts: Int = 2_048,
        queueCapacity: Int = 64, unloadsAfter: Duration? = nil
      ) {
        self.pooling = pooling
        self.normalises = normalises
        self.contextLength = contextLength
        self.truncates = truncates
        self.threads = threads
        self.mostTexts = mostTexts
        self.queueCapacity = queueCapacity
        self.unloadsAfter = unloadsAfter
      }
    }
  }

  extension LocalEmbedder.Options {
    /// Refuses what no machine and no model could do. A length is compared with the model's own when its
    /// file is known.
    ///
    /// Asked by everything that would use the options; call it to learn of a mistake earlier.
    ///
    /// - Throws: `invalidConfiguration` with the option's name under `option`.
    public func validate() throws(HybridError) {
      try pooling?.validate()
      try OptionRange.require(
        contextLength, in: 1...LoadPlan.longest, "contextLength", "a number of tokens")
      try OptionRange.require(threads, in: ThreadSettings.range, "threads", "a number of threads")
      try OptionRange.require(
        mostTexts, in: 1...OptionRange.longestQueue, "mostTexts", "a number of texts")
      try OptionRange.require(
        queueCapacity, in: 1...OptionRange.longestQueue, "queueCapacity", "a number of requests")
      try OptionRange.requirePositive(unloadsAfter, "unloadsAfter")
    }
  }
#endif

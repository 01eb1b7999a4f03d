package import HybridCore

/// The longest text and the batch that a load would choose, what it would need and what there is.
package struct EmbedderPlan: Sendable, Hashable {
  /// Unless told otherwise, texts are no longer than this, whatever the model was trained on: attention
  /// over a text costs memory and time by the square of its length.
  package static let defaultLimit = 2_048
  /// The same where logits are computed for every token of the batch, wanted or not: at a vocabulary of
  /// 49,152 each takes 0.4 MB.
  package static let defaultLimitWithLogits = 512
  /// No shorter is chosen; if that does not fit, the load is refused.
  package static let smallest = 128
  /// Tokens of a batch that several texts share. Larger ones are no faster on a CPU, and hold up whoever
  /// waits for the next.
  package static let sharedTokens = 512
  /// Texts of a batch.
  package static let mostTexts = 64

  /// Tokens that one text may have.
  package let contextLength: Int
  /// The most tokens of a batch: a long text, or several that share it.
  package let batch: Int
  package let estimate: MemoryEstimate
  /// Bytes that may be taken; nil where the machine does not tell.
  package let availableBytes: Int?

  /// - Parameter explicit: the caller's own context length.
  /// - Throws: `invalidConfiguration` for one beyond what the model was trained on: some have no
  ///   position beyond it, and llama.cpp ends the process there.
  package init(
    _ header: GGUFHeader, memory: MemoryBudget, explicit: Int? = nil
  ) throws(HybridError) {
    let available = memory.availableBytes.map { Int(clamping: $0) }
    let trained = header.shape.trainedContextLength
    let isEncoder = ModelKind.isPureEncoder(header.architecture)
    func batch(_ length: Int) -> Int { max(length, min(Self.sharedTokens, trained)) }
    func estimate(_ length: Int) -> MemoryEstimate {
      let batch = batch(length)
      return MemoryEstimate(
        header, contextLength: batch, microBatch: batch, sequences: Self.mostTexts,
        outputs: batch, isEncoder: isEncoder)
    }
    // A tenth stays free for what the service itself will need.
    func fits(_ length: Int) -> Bool {
      available.map { estimate(length).totalBytes <= $0 / 10 * 9 } ?? true
    }

    if let explicit {
      guard (1...trained).contains(explicit) else {
        throw HybridError(
          .invalidConfiguration,
          "a context of \(explicit) tokens is not possible: the model was trained on \(trained)",
          nextStep: "Give a number of tokens from 1 to \(trained)",
          details: [
            "option": "contextLength", "contextLength": .int(explicit),
            "trainedContextLength": .int(trained),
          ], side: .local)
      }
      contextLength = explicit
    } else {
      var length = min(trained, isEncoder ? Self.defaultLimit : Self.defaultLimitWithLogits)
      while length > Self.smallest, !fits(length) { length = max(Self.smallest, length / 2) }
      contextLength = length
    }
    self.batch = batch(contextLength)
    self.estimate = estimate(contextLength)
    availableBytes = available
  }

  package var memoryNeed: MemoryNeed? {
    availableBytes.map { MemoryNeed(needed: estimate.totalBytes, available: $0) }
  }

  /// - Throws: `insufficientMemory` with both numbers, before anything is loaded.
  package func requireMemory() throws(HybridError) {
    try memoryNeed?.require(contextLength: contextLength, smallest: Self.smallest)
  }
}

package import HybridCore

/// The context that a load would choose, what it would need and what there is.
package struct LoadPlan: Sendable, Hashable {
  /// What decided the context's length.
  package enum Source: String, Sendable {
    /// The caller's own setting.
    case explicit
    /// All that the model was trained on.
    case trained
    /// What memory allows.
    case memory
    /// The default limit.
    case limit
  }

  /// Unless told otherwise, no more tokens than this: memory that nobody asked for is not taken.
  package static let defaultLimit = 8_192
  /// No fewer tokens than this are chosen; if they do not fit, the load is refused.
  package static let smallest = 512

  package let contextLength: Int
  package let source: Source
  package let estimate: MemoryEstimate
  /// Bytes that may be taken; nil where the machine does not tell.
  package let availableBytes: Int?

  /// min(trained, what 90 % of the memory allows, 8,192), unless set.
  ///
  /// - Parameters:
  ///   - explicit: the caller's own context length.
  ///   - allowsBeyondTrained: whether that may exceed what the model was trained on.
  /// - Throws: `invalidConfiguration` for a length below 1, or beyond the trained one unasked.
  package init(
    _ header: GGUFHeader, memory: MemoryBudget, explicit: Int? = nil,
    allowsBeyondTrained: Bool = false, microBatch: Int = 512, sequences: Int = 1
  ) throws(HybridError) {
    let trained = header.shape.trainedContextLength
    let available = memory.availableBytes.map { Int(clamping: $0) }
    func estimate(_ length: Int) -> MemoryEstimate {
      MemoryEstimate(
        header, contextLength: length, microBatch: microBatch, sequences: sequences)
    }
    availableBytes = available

    if let explicit {
      try Self.check(explicit, trained: trained, allowsBeyondTrained)
      (contextLength, source) = (explicit, .explicit)
      self.estimate = estimate(explicit)
      return
    }
    let wanted = min(trained, Self.defaultLimit)
    var length = wanted
    if let available {
      // A tenth stays free for what the service itself will need.
      let usable = available / 10 * 9
      while length > Self.smallest, estimate(length).totalBytes > usable {
        length = max(Self.smallest, (length - 1) / 256 * 256)
      }
    }
    contextLength = length
    source = length < wanted ? .memory : trained <= Self.defaultLimit ? .trained : .limit
    self.estimate = estimate(length)
  }

  private static func check(_ length: Int, trained: Int, _ allowsBeyondTrained: Bool)
    throws(HybridError)
  {
    let details: JSONObject = [
      "contextLength": .int(length), "trainedContextLength": .int(trained),
    ]
    guard length >= 1, length <= 1 << 30 else {
      throw HybridError(
        .invalidConfiguration, "a context of \(length) tokens is not possible",
        nextStep: "Give a number of tokens from 1 to \(trained)", details: details, side: .local)
    }
    guard length <= trained || allowsBeyondTrained else {
      throw HybridError(
        .invalidConfiguration,
        "a context of \(length) tokens exceeds the \(trained) that the model was trained on",
        nextStep: "Give at most \(trained), or allow a longer context expressly", details: details,
        side: .local)
    }
  }

  package var memoryNeed: MemoryNeed? {
    availableBytes.map { MemoryNeed(needed: estimate.totalBytes, available: $0) }
  }

  /// True also where the machine does not tell its memory.
  package var fits: Bool { memoryNeed.map { $0.needed <= $0.available } ?? true }

  /// - Throws: `insufficientMemory` with both numbers, before anything is loaded.
  package func requireMemory() throws(HybridError) {
    guard let need = memoryNeed, need.needed > need.available else { return }
    func mebibytes(_ bytes: Int) -> Int { bytes / (1 << 20) }
    throw HybridError(
      .insufficientMemory,
      "the model needs \(mebibytes(need.needed)) MiB with a context of \(contextLength) tokens, "
        + "and \(mebibytes(need.available)) MiB are available",
      nextStep: contextLength > Self.smallest
        ? "Ask for a shorter context, use a smaller model, or raise the memory limit"
        : "Use a smaller model, or raise the memory limit",
      details: [
        "needed": .int(need.needed), "available": .int(need.available),
        "contextLength": .int(contextLength),
      ],
      side: .local)
  }
}

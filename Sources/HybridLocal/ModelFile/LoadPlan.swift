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

  /// What decided the length of the whole context.
  package enum TotalSource: String, Sendable {
    /// The caller's own setting.
    case explicit
    /// Each request has a part of its own.
    case split
    /// The requests' number times what one may take.
    case requests
    /// The default limit.
    case limit
    /// One request takes no less.
    case oneRequest
    /// Memory does not allow more than one request takes.
    case memory
  }

  /// Unless told otherwise, no more tokens than this: memory that nobody asked for is not taken.
  package static let defaultLimit = 8_192
  /// No fewer tokens than this are chosen; if they do not fit, the load is refused.
  package static let smallest = 512
  /// No more are possible, whatever the model and the memory.
  package static let longest = 1 << 30

  /// How requests share the context.
  package struct Sharing: Sendable, Hashable {
    /// Requests that run at once.
    package var slots: Int
    /// Tokens of all requests together; nil: chosen.
    package var totalLength: Int?
    /// Whether each request gets an equal part of its own.
    package var isSplit: Bool
    /// Logits that one request may ask for in a step.
    package var outputsPerSequence = 1

    package init(slots: Int = 1, totalLength: Int? = nil, isSplit: Bool = false) {
      self.slots = slots
      self.totalLength = totalLength
      self.isSplit = isSplit
    }

    /// Requests that may be asked to run at once: llama.cpp knows 256 sequences, and some are kept for
    /// the prefix cache.
    package static let range = 1...128

    /// Where nobody says: four a core, 4 to 16. Beyond 16 streams a core's kernels gain nothing more.
    package static func defaultSlots(cores: Int) -> Int { min(16, max(4, 4 * cores)) }
  }

  /// Tokens that one request may take.
  package let contextLength: Int
  package let source: Source
  /// Tokens of the context: of all requests that run, and of the prefix cache.
  package let totalLength: Int
  package let totalSource: TotalSource
  package let sharing: Sharing
  package let estimate: MemoryEstimate
  /// Bytes that may be taken; nil where the machine does not tell.
  package let availableBytes: Int?

  /// min(trained, what 90 % of the memory allows, 8,192) for one request, unless set; for all of them
  /// together that times their number, at most 8,192 and at least what one may take.
  ///
  /// - Parameters:
  ///   - availableBytes: what may be taken where that is known better than `memory` does.
  ///   - explicit: the caller's own context length.
  ///   - allowsBeyondTrained: whether that may exceed what the model was trained on.
  /// - Throws: `invalidConfiguration` for a length or a number of requests that is not possible, or a
  ///   length beyond the trained one unasked.
  package init(
    _ header: GGUFHeader, memory: MemoryBudget, availableBytes: Int? = nil, explicit: Int? = nil,
    allowsBeyondTrained: Bool = false, microBatch: Int = 512, sharing: Sharing = Sharing()
  ) throws(HybridError) {
    let trained = header.shape.trainedContextLength
    let available = availableBytes ?? memory.availableBytes.map { Int(clamping: $0) }
    self.availableBytes = available
    self.sharing = sharing
    try Self.check(sharing, explicit)
    func estimate(_ total: Int) -> MemoryEstimate {
      MemoryEstimate(
        header, contextLength: total, microBatch: microBatch,
        sequences: max(Self.sequences(sharing), sharing.outputsPerSequence))
    }
    // A tenth stays free for what the service itself will need.
    func fits(_ total: Int) -> Bool {
      available.map { estimate(total).totalBytes <= $0 / 10 * 9 } ?? true
    }
    func total(_ length: Int) -> (length: Int, source: TotalSource) {
      // llama.cpp rounds each part up.
      if sharing.isSplit { return ((length + 255) / 256 * 256 * sharing.slots, .split) }
      if let total = sharing.totalLength { return (total, .explicit) }
      let all = length * sharing.slots
      let wanted = max(length, min(Self.defaultLimit, all))
      // Requests that run together can do with less: some take turns then.
      var most = wanted
      while most > length, !fits(most) { most = max(length, (most - 1) / 256 * 256) }
      if most < wanted { return (most, .memory) }
      return (
        wanted,
        wanted == all ? .requests : wanted == Self.defaultLimit ? .limit : .oneRequest
      )
    }

    if let explicit {
      try Self.check(explicit, trained: trained, allowsBeyondTrained)
      (contextLength, source) = (explicit, .explicit)
    } else {
      let wanted = min(trained, Self.defaultLimit, sharing.totalLength ?? .max)
      var length = wanted
      while length > Self.smallest, sharing.totalLength == nil, !fits(total(length).length) {
        length = max(Self.smallest, (length - 1) / 256 * 256)
      }
      contextLength = length
      source = length < wanted ? .memory : trained <= Self.defaultLimit ? .trained : .limit
    }
    (totalLength, totalSource) = total(contextLength)
    self.estimate = estimate(totalLength)
  }

  /// Sequences of the context: those that run, and those that stay as the prefix cache.
  package var sequences: Int { Self.sequences(sharing) }

  private static func sequences(_ sharing: Sharing) -> Int {
    sharing.isSplit ? sharing.slots : sharing.slots + max(8, sharing.slots)
  }

  private static func check(_ sharing: Sharing, _ explicit: Int?) throws(HybridError) {
    guard Sharing.range.contains(sharing.slots) else {
      throw HybridError(
        .invalidConfiguration, "\(sharing.slots) requests at once are not possible",
        nextStep: "Give a number of requests from 1 to \(Sharing.range.upperBound)",
        details: ["parallelRequests": .int(sharing.slots)], side: .local)
    }
    guard let total = sharing.totalLength else { return }
    guard total >= max(1, explicit ?? 1), total <= longest, !sharing.isSplit else {
      throw HybridError(
        .invalidConfiguration, "a context of \(total) tokens for all requests is not possible",
        nextStep: sharing.isSplit
          ? "Leave it out: each request has a part of its own where answers are deterministic"
          : "Give at least what one request may take",
        details: ["totalContextLength": .int(total), "contextLength": .optional(explicit)],
        side: .local)
    }
  }

  private static func check(_ length: Int, trained: Int, _ allowsBeyondTrained: Bool)
    throws(HybridError)
  {
    let details: JSONObject = [
      "contextLength": .int(length), "trainedContextLength": .int(trained),
    ]
    guard length >= 1, length <= longest else {
      throw HybridError(
        .invalidConfiguration, "a context of \(length) tokens is not possible",
        nextStep: "Give a number of tokens from 1 to \(trained)", details: details, side: .local)
    }
    guard length <= trained || allowsBeyondTrained else {
      throw HybridError(
        .invalidConfiguration,
        "a context of \(length) tokens exceeds the \(trained) that the model was trained on",
        nextStep:
          "Give at most \(trained), or allow a longer context expressly: `allowsBeyondTrained`, "
          + "--beyond-trained", details: details,
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
    try memoryNeed?.require(contextLength: contextLength, smallest: Self.smallest)
  }
}

extension MemoryNeed {
  /// - Parameter smallest: a context of this length or less cannot be made shorter.
  /// - Throws: `insufficientMemory` with both numbers where there is less than what is needed.
  func require(contextLength: Int, smallest: Int) throws(HybridError) {
    if needed <= available { return }
    throw HybridError(
      .insufficientMemory,
      "the model needs \(ByteText.of(needed)) with a context of \(contextLength) tokens, "
        + "and \(ByteText.of(available)) are available",
      nextStep: contextLength > smallest
        ? "Ask for a shorter context, use a smaller model, or raise the memory limit"
        : "Use a smaller model, or raise the memory limit",
      details: [
        "needed": .int(needed), "available": .int(available),
        "contextLength": .int(contextLength),
      ],
      side: .local)
  }
}

#if LocalLlama
  import CHybridLlama
  package import HybridCore

  /// A model at work: its memory of the sequences, its batch and its compute threads.
  ///
  /// Belongs to one thread. Owns its model, so that it is always freed first.
  @safe package struct LlamaContext: ~Copyable {
    package struct Options: Sendable, Hashable {
      /// Tokens over all sequences.
      package var length: Int
      /// The most tokens of one decode.
      package var batch = 512
      /// The most tokens computed at once within a decode.
      package var microBatch = 512
      package var sequences = 1
      /// Tokens of one sequence in one decode that may ask for logits.
      package var outputsPerSequence = 1
      /// Whether sequences share one memory, so that one may build on a part of another. Without, each
      /// has its own equal part, and nothing that happens in the others changes its numbers.
      package var sharesMemory = true
      package var threads: ThreadCounts
      package var flashAttention = FlashAttention.automatic
      /// What becomes of a sequence's outputs; nil: logits. With it the whole batch is computed at once,
      /// `length` and `microBatch` are as `batch`, and every token of a batch asks for its output.
      package var pooling: Pooling?

      package init(length: Int, threads: ThreadCounts) {
        self.length = length
        self.threads = threads
      }
    }

    package enum FlashAttention: Int32, Sendable, Hashable {
      /// Where the model allows it.
      case automatic = -1
      case off = 0
      case on = 1
    }

    // The only owner of the handle; `deinit` is the only free. The stored properties go after
    // deinit's body: the context before the model and before the closure that it asks.
    private let handle: OpaquePointer
    package let model: LlamaModel
    private let abort: AbortBox

    /// What one sequence may hold; may be more than was asked for, since llama.cpp rounds up.
    package let sequenceLength: Int
    /// The most tokens that one decode takes.
    package let batchCapacity: Int

    /// - Parameter isAborted: asked many times during a decode, between two operations of its graph,
    ///   on the decoding thread; once true, the decode ends `aborted`.
    /// - Throws: `modelLoadFailed`.
    package init(
      model: consuming LlamaModel, options: Options, isAborted: @escaping () -> Bool
    ) throws(HybridError) {
      let abort = AbortBox(isAborted)
      let asks: hybrid_llama_abort = { box in
        guard let box = unsafe box else { return false }
        return unsafe Unmanaged<AbortBox>.fromOpaque(box).takeUnretainedValue().isAborted()
      }
      // The context keeps the pointer, and this struct keeps the box until the context is freed.
      let box = unsafe Unmanaged.passUnretained(abort).toOpaque()
      let threads = options.threads
      let created = unsafe model.withHandle { (model: OpaquePointer) -> OpaquePointer? in
        if let pooling = options.pooling {
          return unsafe hybrid_llama_embedding_context_create(
            model, UInt32(clamping: options.batch), UInt32(clamping: options.sequences),
            pooling.number, Int32(clamping: threads.decode), Int32(clamping: threads.prefill),
            options.flashAttention.rawValue, asks, box)
        }
        return unsafe hybrid_llama_context_create(
          model, UInt32(clamping: options.length), UInt32(clamping: options.batch),
          UInt32(clamping: options.microBatch), UInt32(clamping: options.sequences),
          options.sharesMemory, UInt32(clamping: options.outputsPerSequence),
          Int32(clamping: threads.decode), Int32(clamping: threads.prefill),
          options.flashAttention.rawValue, asks, box)
      }
      guard let created = unsafe created else {
        throw HybridError(
          .modelLoadFailed, "llama.cpp could not make a context of \(options.length) tokens",
          nextStep: "Ask for a shorter context, or free memory",
          details: [
            "contextLength": .int(options.length), "reason": .optional(LlamaLog.takeError()),
          ], side: .local)
      }
      unsafe handle = created
      self.model = model
      self.abort = abort
      // llama.h: "it is recommended to query the actual values using these functions. In some cases
      // the requested values … may differ from the actual values used by the context".
      sequenceLength = Int(unsafe hybrid_llama_context_sequence_length(created))
      batchCapacity = Int(unsafe hybrid_llama_context_batch(created))
    }

    deinit {
      unsafe hybrid_llama_context_free(handle)
    }

    /// Threads that the next decode of one token computes with: 1 where the system refused those that
    /// the context was to have.
    package var threadCount: Int { Int(unsafe hybrid_llama_threads(handle)) }

    /// Makes the next decodes compute with this many threads, whatever their size; call between two.
    ///
    /// Costs a microsecond for a count that was in use shortly before, else the start of its threads:
    /// about 30 µs each.
    ///
    /// - Parameter count: 1…512.
    /// - Returns: false when the system refuses the threads; then the count stays as it was.
    package func setThreads(_ count: Int) -> Bool {
      unsafe hybrid_llama_set_threads(handle, Int32(clamping: count))
    }

    /// CPU time that this thread and the compute threads set last have used so far, what they spend
    /// waiting for one another included; nil where the system does not tell. Costs about 0.3 µs a
    /// thread.
    package var computeTime: Duration? {
      let nanoseconds = unsafe hybrid_llama_compute_nanoseconds(handle)
      return nanoseconds < 0 ? nil : .nanoseconds(nanoseconds)
    }

    /// Starts a batch anew.
    package func clearBatch() {
      unsafe hybrid_llama_batch_clear(handle)
    }

    /// - Returns: false when the batch is full, or the token or the sequence does not exist.
    package func addToBatch(
      _ token: Token, position: Int, sequence: Int = 0, wantsLogits: Bool
    ) -> Bool {
      unsafe hybrid_llama_batch_add(
        handle, token, Int32(clamping: position), Int32(clamping: sequence), wantsLogits)
    }

    /// Computes the batch. Blocks the thread: about 3 ms a prompt token and 7 ms a generated one
    /// for 135 million parameters on two cores, in proportion for others.
    package func decode() -> DecodeOutcome {
      DecodeOutcome(code: unsafe hybrid_llama_decode(handle))
    }

    /// Gives an empty sequence the first tokens of another, which keeps them; both use the same cells.
    /// Only where they share memory. Costs microseconds.
    package func share(_ count: Int, of source: Int, with target: Int) {
      unsafe hybrid_llama_memory_share(
        handle, Int32(clamping: source), Int32(clamping: target), Int32(clamping: count))
    }

    /// Forgets all but the first tokens of a sequence.
    ///
    /// - Returns: false for a model whose memory cannot be cut there. Nothing was forgotten then; to
    ///   keep none always works.
    package func keep(_ count: Int, of sequence: Int) -> Bool {
      unsafe hybrid_llama_memory_keep(handle, Int32(clamping: sequence), Int32(clamping: count))
    }

    /// Forgets all sequences. Costs microseconds: the cells are marked, not wiped.
    package func clearMemory() {
      unsafe hybrid_llama_memory_clear(handle)
    }

    /// The next token after the batch's entry `index`, which must have asked for logits; −1: the
    /// last entry.
    ///
    /// - Returns: nil when the logits are no numbers.
    package func sample(with sampler: inout LlamaSampler, after index: Int = -1) -> Sampled? {
      unsafe sampler.sample { sampler, top, topCount, logProb in
        unsafe hybrid_llama_sample(
          sampler, handle, Int32(clamping: index), top, topCount, logProb)
      }
    }

    /// A copy of the logits after the batch's entry `index`, as in ``sample(with:after:)``.
    package func logits(after index: Int = -1) -> [Float] {
      guard let start = unsafe hybrid_llama_logits(handle, Int32(clamping: index)) else {
        return []
      }
      let count = Int(unsafe hybrid_llama_vocabulary_size(handle))
      return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }
  }

  // Embedding: only with ``Options/pooling``.
  extension LlamaContext {
    /// Numbers of one vector.
    package var embeddingSize: Int { Int(unsafe hybrid_llama_embedding_size(handle)) }

    /// A copy of what a sequence of the last batch was pooled into, as the model has it; nil where it
    /// computed none.
    package func embedding(of sequence: Int) -> [Float]? {
      guard let start = unsafe hybrid_llama_embedding(handle, Int32(clamping: sequence)) else {
        return nil
      }
      return unsafe Array(UnsafeBufferPointer(start: start, count: embeddingSize))
    }
  }

  // Comparing with another model.
  extension LlamaContext {
    /// Keeps the distribution over the token after the batch's entry `index`, which must have asked for
    /// logits.
    ///
    /// - Parameters:
    ///   - token: the one that follows.
    ///   - kept: one number a token of the vocabulary is put there.
    /// - Returns: −log p of `token`; nil when the logits are no numbers.
    package func keepDistribution(
      after index: Int, token: Token, in kept: inout [UInt16]
    ) -> Double? {
      var surprise = 0.0
      kept = unsafe [UInt16](unsafeUninitializedCapacity: model.tokenCount) { buffer, count in
        guard let start = buffer.baseAddress else { return }
        let isKept = unsafe hybrid_llama_keep_distribution(
          handle, Int32(clamping: index), token, start, &surprise)
        count = isKept ? buffer.count : 0
      }
      return kept.isEmpty ? nil : surprise
    }

    /// Compares the distribution with one that was kept.
    ///
    /// - Returns: −log p of `token`, and the Kullback-Leibler divergence from the kept distribution, in
    ///   nats over the whole vocabulary; nil when the vocabularies differ in size or the logits are no
    ///   numbers.
    package func compareDistribution(
      after index: Int, token: Token, with kept: [UInt16]
    ) -> (surprise: Double, divergence: Double)? {
      guard kept.count == model.tokenCount else { return nil }
      var surprise = 0.0
      var divergence = 0.0
      let isCompared = unsafe kept.withUnsafeBufferPointer { kept in
        guard let start = kept.baseAddress else { return false }
        return unsafe hybrid_llama_compare_distribution(
          handle, Int32(clamping: index), token, start, &surprise, &divergence)
      }
      return isCompared ? (surprise, divergence) : nil
    }
  }

  private final class AbortBox {
    let isAborted: () -> Bool

    init(_ isAborted: @escaping () -> Bool) {
      self.isAborted = isAborted
    }
  }
#endif

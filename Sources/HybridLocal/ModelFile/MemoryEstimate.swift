/// Memory that a model takes once it is loaded and its context is full, from the header alone.
///
///     weights      the tensors' bytes
///     vocabulary   200 · tokens + 125 · merges
///     key/value    Σ layers: key/value heads · (key length + value length) · 2 · context
///     recurrent    layers · state · sequences, where a model keeps one
///     compute      micro-batch · 4 · (4 · width + 2 · heads · key length + 3 · feed-forward)
///                  + micro-batch · 2 · context + outputs · 8 · vocabulary
///     library      4 MiB
///
/// The outputs are the tokens of a step that logits are computed for: one a sequence, or where outputs are
/// pooled every token of the batch, wanted or not. An encoder computes none and keeps no keys and values;
/// llama.cpp still clears the place where it would put logits, 4 bytes each: all-MiniLM-L6-v2 grew by 58
/// MiB from a batch of 3 tokens to one of 500, of a vocabulary of 30,522.
///
/// Keys and values are 16-bit numbers, attention is of the flash kind, and the context is rounded up
/// to 256 tokens as llama.cpp does. The factors were fitted to the growth of resident memory with
/// llama.cpp 0.5.0: SmolLM2-135M Q4_1, micro-batch 512, context full (`LocalSpeed --memory`).
///
///     context   512       2,048     8,192
///     estimate  139.2     174.4     315.4 MiB
///     measured  138.6     175.1     317.1 MiB
///
/// (llama.cpp's log says more for compute, 98 MiB: room for the logits of a whole batch, which is
/// reserved and never touched.) Formats that llama.cpp repacks for the CPU while it loads may show
/// the file's pages beside the repacked copy for a while; the kernel takes those back when it needs
/// them, so they are not counted.
package struct MemoryEstimate: Sendable, Hashable {
  package let weightBytes: Int
  package let vocabularyBytes: Int
  package let keyValueBytes: Int
  package let recurrentBytes: Int
  package let computeBytes: Int
  package let libraryBytes: Int

  package var totalBytes: Int {
    [weightBytes, vocabularyBytes, keyValueBytes, recurrentBytes, computeBytes, libraryBytes]
      .reduce(0) { Self.capped($0.addingReportingOverflow($1)) }
  }

  /// - Parameters:
  ///   - contextLength: tokens of all sequences together, at least 1.
  ///   - microBatch: tokens that one step of prefill processes.
  ///   - sequences: conversations held at once.
  ///   - outputs: tokens of a step that logits are computed for; nil: one a sequence.
  ///   - isEncoder: whether neither keys and values are kept nor logits computed.
  package init(
    _ header: GGUFHeader, contextLength: Int, microBatch: Int = 512, sequences: Int = 1,
    outputs: Int? = nil, isEncoder: Bool = false
  ) {
    let shape = header.shape
    let cells = Self.capped(max(contextLength, 1).addingReportingOverflow(255))
    let context = cells / 256 * 256
    let batch = min(max(microBatch, 1), context)

    weightBytes = Int(clamping: header.tensorBytes)
    vocabularyBytes = 200 * header.vocabulary.size + 125 * header.vocabulary.mergeCount
    keyValueBytes = isEncoder ? 0 : Self.product(Self.cellBytes(shape), context)
    recurrentBytes = Self.product(
      Self.product(shape.recurrentStateBytes ?? 0, shape.blockCount), max(sequences, 1))
    let heads = shape.headCounts.max() ?? 0
    let row =
      4 * shape.embeddingLength + 2 * heads * shape.keyLength + 3 * shape.feedForwardLength
    let activations = Self.product(Self.product(row, 4), batch)
    let mask = Self.product(2 * batch, context)
    let logits = Self.product(
      (isEncoder ? 4 : 8) * header.vocabulary.size, outputs ?? max(sequences, 1))
    computeBytes = [mask, logits].reduce(activations) {
      Self.capped($0.addingReportingOverflow($1))
    }
    libraryBytes = 4 << 20
  }

  /// Bytes that one token's keys and values take over all layers.
  private static func cellBytes(_ shape: ModelShape) -> Int {
    var bytes = 0
    for (layer, heads) in shape.keyValueHeadCounts.enumerated() {
      if let interval = shape.fullAttentionInterval, (layer + 1) % interval != 0 { continue }
      bytes += heads * (shape.keyLength + shape.valueLength) * 2
    }
    return bytes
  }

  private static func product(_ first: Int, _ second: Int) -> Int {
    capped(first.multipliedReportingOverflow(by: second))
  }

  /// Hostile headers ask for more than there are numbers: that much is too much all the same.
  private static func capped(_ result: (partialValue: Int, overflow: Bool)) -> Int {
    result.overflow ? .max : result.partialValue
  }
}

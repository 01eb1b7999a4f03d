/// A model's dimensions: what decides its memory and what it can take.
package struct ModelShape: Sendable, Hashable {
  /// Tokens the model was trained on at once.
  package let trainedContextLength: Int
  /// Layers, 1 to 512.
  package let blockCount: Int
  /// Width of the hidden state.
  package let embeddingLength: Int
  /// Width of the widest feed-forward layer; 0 where the file does not say.
  package let feedForwardLength: Int
  /// Attention heads of each layer; 0 where a layer has no attention.
  package let headCounts: [Int]
  /// Key/value heads of each layer.
  package let keyValueHeadCounts: [Int]
  /// Numbers in one head's key and value.
  package let keyLength: Int
  package let valueLength: Int
  /// Tokens that sliding-window layers look back; nil where every layer sees the whole context.
  package let slidingWindow: Int?
  /// Every how manieth layer has full attention, in models that mix it with recurrent layers.
  package let fullAttentionInterval: Int?
  /// Bytes of recurrent state a layer and sequence; nil for plain transformers.
  package let recurrentStateBytes: Int?
  /// Experts of a layer; 0 for models without.
  package let expertCount: Int

  /// - Throws: ``ModelFileError`` where llama.cpp would refuse the file, or end the process: its
  ///   loader asserts several of these bounds, and its attention the divisions.
  init(_ keys: GGUFKeys, architecture: String) throws(ModelFileError) {
    let reader = ShapeReader(keys: keys, architecture: architecture)
    func key(_ name: String) -> String { "\(architecture).\(name)" }

    let blocks = try keys.required(key("block_count"), in: 1...512)
    blockCount = blocks
    trainedContextLength = try keys.required(key("context_length"), in: 1...(1 << 30))
    let width = try keys.required(key("embedding_length"), in: 1...(1 << 20))
    embeddingLength = width
    feedForwardLength =
      try keys.perLayer(key("feed_forward_length"), layers: blocks, in: 0...(1 << 24))?.max() ?? 0
    recurrentStateBytes = try reader.recurrentStateBytes(width: width)
    let heads = try reader.heads(layers: blocks, isRecurrent: recurrentStateBytes != nil)
    headCounts = heads.query
    keyValueHeadCounts = heads.keyValue
    (keyLength, valueLength) = try reader.headLengths(width: width, heads: heads.query)
    slidingWindow = try keys.count(key("attention.sliding_window")).flatMap { $0 > 0 ? $0 : nil }
    fullAttentionInterval = try keys.count(key("full_attention_interval"), in: 1...512)
    expertCount = try reader.experts(layers: blocks)
    try reader.requireRotationSections()
    try reader.checkScalars(layers: blocks)
  }
}

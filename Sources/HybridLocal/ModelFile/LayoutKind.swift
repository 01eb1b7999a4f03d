/// In what the common architectures' lists of tensors differ, as llama.cpp 0.5.0 reads them.
struct LayoutKind {
  /// BERT: no mask, no output matrix, norms behind what they norm.
  var isEncoder = false
  /// Queries are as wide as the model, whatever a head's length.
  var queryIsWidth = false
  /// Keys are as wide as values, whatever their own length.
  var keysAreValues = false
  /// The output matrix may stand apart from the vocabulary's.
  var hasOutput = true
  var hasOutputBias = false
  var hasHeadNorms = false
  var hasNormBiases = false
  var hasExperts = false
  var hasGate = true
  /// Gate and up are one matrix.
  var gateIsInUp = false
  var hasFeedForwardBiases = false
  /// `output.bias`, which belongs to the output matrix.
  var hasVocabularyBias = false
  var rotation = Rotation.none
  /// Norms of a layer, beside the one before its attention.
  var norms = ["ffn_norm"]
  /// Tensors of the whole model that may be there, in shapes that are not looked at here.
  var anyShape: [String] = []

  /// Tensors that say how far each part of a head is turned.
  enum Rotation {
    case none
    /// One, or two for models whose scaling is `longrope`.
    case byScaling
    /// Two.
    case long
  }

  static let known: [String: LayoutKind] = [
    "llama": llama, "mistral3": llama,
    "smollm3": LayoutKind(),
    "qwen2": LayoutKind(queryIsWidth: true, keysAreValues: true, hasVocabularyBias: true),
    "qwen3": LayoutKind(keysAreValues: true, hasHeadNorms: true, anyShape: ["cls.output.weight"]),
    "phi3": LayoutKind(
      queryIsWidth: true, keysAreValues: true, hasGate: false, gateIsInUp: true,
      rotation: .long),
    "gemma": LayoutKind(hasOutput: false),
    "gemma2": LayoutKind(hasOutput: false, norms: gemmaNorms),
    "gemma3": LayoutKind(
      hasHeadNorms: true, norms: gemmaNorms, anyShape: ["dense_2.weight", "dense_3.weight"]),
    "bert": LayoutKind(
      isEncoder: true, queryIsWidth: true, keysAreValues: true, hasOutputBias: true,
      hasNormBiases: true, hasGate: false, hasFeedForwardBiases: true,
      norms: ["attn_output_norm", "layer_output_norm"],
      anyShape: ["cls.output.weight", "cls.output.bias"]),
  ]

  private static let llama = LayoutKind(
    hasOutputBias: true, hasExperts: true, hasFeedForwardBiases: true, rotation: .byScaling)

  private static let gemmaNorms = ["post_attention_norm", "ffn_norm", "post_ffw_norm"]
}

/// The numbers of a file that its tensors' shapes are made of. llama.cpp takes the first layer's where
/// layers differ, for the architectures of ``LayoutKind``.
struct LayoutNumbers {
  typealias Side = TensorLayout.Side

  let layers: Int
  let layersKey: String
  let width: Side
  let vocabulary: Side
  let context: Side
  let query: Side
  let key: Side
  let value: Side
  let head: Side
  let feedForward: Side
  let experts: Side
  /// Half of what is turned of a head, and whether the scaling is `longrope`.
  let rotation: Side
  let isLongRotation: Bool
  /// Kinds of tokens, in encoders.
  let tokenTypes: Side

  /// - Returns: nil for numbers with which llama.cpp asks for other tensors: layers that foretell several
  ///   tokens, heads of another length where the look back is short.
  init?(
    _ keys: GGUFKeys, shape: ModelShape, vocabulary size: Int, architecture: String
  ) throws(ModelFileError) {
    func name(_ key: String) -> String { "\(architecture).\(key)" }
    guard try keys.count(name("nextn_predict_layers")) ?? 0 == 0,
      keys.values[name("attention.key_length_swa")] == nil,
      keys.values[name("attention.value_length_swa")] == nil
    else { return nil }
    let inner =
      try keys.perLayer(
        name("feed_forward_length"), layers: shape.blockCount, in: 0...(1 << 24))?.first ?? 0
    let (heads, shared) = (shape.headCounts[0], shape.keyValueHeadCounts[0])
    let sharedKey = name(
      keys.values[name("attention.head_count_kv")] == nil
        ? "attention.head_count" : "attention.head_count_kv")
    let headKey = name(
      keys.values[name("attention.key_length")] == nil
        ? "attention.head_count" : "attention.key_length")
    layers = shape.blockCount
    layersKey = name("block_count")
    width = Side(shape.embeddingLength, name("embedding_length"))
    vocabulary = Side(size, "the vocabulary")
    context = Side(shape.trainedContextLength, name("context_length"))
    query = Side(heads * shape.keyLength, name("attention.head_count"))
    key = Side(shared * shape.keyLength, sharedKey)
    value = Side(shared * shape.valueLength, sharedKey)
    head = Side(shape.keyLength, headKey)
    feedForward = Side(inner, name("feed_forward_length"))
    experts = Side(shape.expertCount, name("expert_count"))
    rotation = Side(
      (try keys.count(name("rope.dimension_count")) ?? shape.keyLength) / 2,
      name("rope.dimension_count"))
    isLongRotation = try keys.text(name("rope.scaling.type")) == "longrope"
    let typesKey = "tokenizer.ggml.token_type_count"
    let types = try keys.count(typesKey) ?? 0
    if architecture == "bert", types == 0 {
      throw keys.values[typesKey] == nil
        ? keys.missing(typesKey) : keys.bad(typesKey, "\(typesKey) is 0")
    }
    tokenTypes = Side(types, typesKey)
  }
}

private import HybridLocal

extension BadFile {
  /// Dimensions.
  static let shapes: [BadFile] = [
    BadFile("no architecture", .architecture, .missingKey) { $0.remove("general.architecture") },
    BadFile("an architecture that is no text", .architecture, .wrongType) {
      $0.set("general.architecture", .uint32(1))
    },
    BadFile("an empty architecture", .architecture, .badValue) {
      $0.set("general.architecture", .string(""))
    },
    BadFile("no blocks", .layers, .badValue) { $0.set("llama.block_count", .uint32(0)) },
    BadFile("513 blocks", .layers, .badValue) { $0.set("llama.block_count", .uint32(513)) },
    BadFile("blocks not said", .layers, .missingKey) { $0.remove("llama.block_count") },
    BadFile("blocks as 64 bits", .layers, .wrongType) { $0.set("llama.block_count", .uint64(1)) },
    BadFile("a context of 0", .context, .badValue) { $0.set("llama.context_length", .uint32(0)) },
    BadFile("a width of 0", .width, .badValue) { $0.set("llama.embedding_length", .uint32(0)) },
    BadFile("a width not said", .width, .missingKey) { $0.remove("llama.embedding_length") },
    BadFile("no heads", .heads, .badValue) { $0.set("llama.attention.head_count", .uint32(0)) },
    BadFile("heads not said", .heads, .missingKey) { $0.remove("llama.attention.head_count") },
    BadFile("more heads than width", .heads, .badValue) {
      $0.set("llama.attention.head_count", .uint32(1_000))
      $0.set("llama.attention.head_count_kv", .uint32(1_000))
    },
    BadFile("heads that do not divide", .heads, .badValue) {
      $0.set("llama.attention.head_count_kv", .uint32(3))
    },
    BadFile("heads for two layers of one", .heads, .badValue) {
      $0.set("llama.attention.head_count", .uint32s([2, 2]))
    },
    BadFile("keys and values of different length", .headLength, .badValue) {
      $0.set("llama.attention.key_length", .uint32(32))
      $0.set("llama.attention.value_length", .uint32(64))
    },
    BadFile("rotation of an odd length", .rotation, .badValue) {
      $0.set("llama.rope.dimension_count", .uint32(31))
    },
    BadFile("rotation beyond the head", .rotation, .badValue) {
      $0.set("llama.rope.dimension_count", .uint32(64))
    },
    BadFile("an unknown rotation scaling", .rotation, .badValue) {
      $0.set("llama.rope.scaling.type", .string("spiral"))
    },
    BadFile("a negative epsilon", .epsilon, .badValue) {
      $0.set("llama.attention.layer_norm_rms_epsilon", .float32(-1))
    },
    BadFile("an epsilon that is no number", .epsilon, .badValue) {
      $0.set("llama.attention.layer_norm_rms_epsilon", .float32(.nan))
    },
    BadFile("experts without use", .experts, .badValue) {
      $0.set("llama.expert_count", .uint32(8))
    },
    BadFile("no experts where the architecture needs some", .experts, .missingKey) {
      $0.become("smallthinker")
    },
    BadFile("a rotation in sections without a length", .rotation, .missingKey) {
      $0.become("paddleocr")
    },
    BadFile("more experts used than there are", .experts, .badValue) {
      $0.set("llama.expert_count", .uint32(2))
      $0.set("llama.expert_used_count", .uint32(4))
    },
    BadFile("expert groups that do not divide", .experts, .badValue) {
      $0.set("llama.expert_count", .uint32(8))
      $0.set("llama.expert_used_count", .uint32(2))
      $0.set("llama.expert_group_count", .uint32(3))
    },
    BadFile("more predicted layers than layers", .layers, .badValue) {
      $0.set("llama.nextn_predict_layers", .uint32(2))
    },
    BadFile("layers as a list", .layers, .wrongType) {
      $0.set("llama.block_count", .uint32s([1]))
    },
    BadFile("full attention every 0 layers", .layers, .badValue) {
      $0.set("llama.full_attention_interval", .uint32(0))
    },
    BadFile("a context not said", .context, .missingKey) { $0.remove("llama.context_length") },
    BadFile("a context without end", .context, .badValue) {
      $0.set("llama.context_length", .uint32(.max))
    },
    BadFile("a context as text", .context, .wrongType) {
      $0.set("llama.context_length", .string("256"))
    },
    BadFile("a width without end", .width, .badValue) {
      $0.set("llama.embedding_length", .uint32(.max))
    },
    BadFile("a feed-forward without end", .feedForward, .badValue) {
      $0.set("llama.feed_forward_length", .uint32(.max))
    },
    BadFile("feed-forwards for two layers of one", .feedForward, .badValue) {
      $0.set("llama.feed_forward_length", .uint32s([96, 96]))
    },
    BadFile("a feed-forward as text", .feedForward, .wrongType) {
      $0.set("llama.feed_forward_length", .string("96"))
    },
    BadFile("heads as floating point", .heads, .wrongType) {
      $0.set("llama.attention.head_count", .float32(2))
    },
    BadFile("heads as texts", .heads, .wrongType) {
      $0.set("llama.attention.head_count", .strings(["2"]))
    },
    BadFile("keys of length 0", .headLength, .badValue) {
      $0.set("llama.attention.key_length", .uint32(0))
    },
    BadFile("an epsilon as text", .epsilon, .wrongType) {
      $0.set("llama.attention.layer_norm_rms_epsilon", .string("1e-5"))
    },
    BadFile("experts without end", .experts, .badValue) {
      $0.set("llama.expert_count", .uint32(.max))
    },
    BadFile("a state without end", .recurrence, .badValue) {
      $0.set("llama.ssm.state_size", .uint32(.max))
    },
    BadFile("unknown pooling", .pooling, .badValue) { $0.set("llama.pooling_type", .uint32(9)) },
    BadFile("causality as a number", .pooling, .wrongType) {
      $0.set("llama.attention.causal", .uint32(1))
    },
  ]
}

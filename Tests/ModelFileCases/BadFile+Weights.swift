private import HybridLocal

extension BadFile {
  /// Numbers that the file's own tensors contradict, each sound for itself.
  static let weights: [BadFile] = [
    BadFile("more layers than there are", .layersToTensors, .missingTensor) {
      $0.set("llama.block_count", .uint32(2))
    },
    BadFile("fewer layers than there are", .layersToTensors, .strayTensor) {
      $0.tensors.append(.init(name: "blk.1.attn_norm.weight", dimensions: [64]))
    },
    BadFile("a feed-forward of another width", .dimensionsToTensors, .wrongShape) {
      $0.set("llama.feed_forward_length", .uint32(128))
    },
    BadFile("a feed-forward not said", .dimensionsToTensors, .wrongShape) {
      $0.remove("llama.feed_forward_length")
    },
    BadFile("another width", .dimensionsToTensors, .wrongShape) {
      $0.set("llama.embedding_length", .uint32(128))
      $0.set("llama.rope.dimension_count", .uint32(64))
    },
    BadFile("more heads", .dimensionsToTensors, .wrongShape) {
      $0.set("llama.attention.head_count", .uint32(4))
      $0.set("llama.rope.dimension_count", .uint32(16))
    },
    BadFile("no key/value heads", .dimensionsToTensors, .wrongShape) {
      $0.set("llama.attention.head_count_kv", .uint32(0))
    },
    BadFile("as many key/value heads as heads", .dimensionsToTensors, .wrongShape) {
      $0.remove("llama.attention.head_count_kv")
    },
    BadFile("fewer tokens than rows", .vocabularyToTensors, .wrongShape) {
      $0.set("tokenizer.ggml.tokens", .strings(["<unk>", "<s>", "</s>", "a"]))
    },
    BadFile("a vocabulary's matrix turned round", .vocabularyToTensors, .wrongShape) {
      $0.tensors[0].dimensions.reverse()
    },
    BadFile("a layer without its norm", .tensorsMissing, .missingTensor) {
      $0.tensors.removeAll { $0.name == "blk.0.ffn_norm.weight" }
    },
    BadFile("no vocabulary's matrix", .tensorsMissing, .missingTensor) {
      $0.tensors.removeFirst()
    },
    BadFile("an architecture with more tensors", .tensorsMissing, .missingTensor) {
      $0.become("gemma3")
    },
    BadFile("a tensor that nobody expects", .tensorsTooMany, .strayTensor) {
      $0.tensors.append(.init(name: "nobody.expects", dimensions: [64]))
    },
    BadFile("a layer's matrix twice over", .tensorsTooMany, .strayTensor) {
      $0.tensors.append(.init(name: "blk.0.attn_qkv.weight", dimensions: [64, 128]))
    },
  ]
}

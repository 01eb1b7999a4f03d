extension GGUFWriter {
  /// A chat model that llama.cpp itself can load: one layer, two heads that share one key/value head,
  /// 264 tokens (eight and every byte), about 150 KB.
  ///
  /// - Parameters:
  ///   - width: of the hidden state, a multiple of 4.
  ///   - template: the chat template; nil leaves it out.
  package static func tinyModel(
    width: Int = 64, feedForward: Int = 96, template: String? = "{{ messages[0].content }}"
  ) -> GGUFWriter {
    var writer = GGUFWriter()
    let bytes = (0..<256).map { "<0x" + hex($0) + ">" }
    let tokens = ["<unk>", "<s>", "</s>"] + bytes + ["▁a", "▁b", "a", "b", "▁"]
    writer.keys = [
      ("general.architecture", .string("llama")),
      ("general.name", .string("Tiny")),
      ("general.file_type", .uint32(0)),
      ("llama.context_length", .uint32(256)),
      ("llama.embedding_length", .uint32(UInt32(width))),
      ("llama.block_count", .uint32(1)),
      ("llama.feed_forward_length", .uint32(UInt32(feedForward))),
      ("llama.attention.head_count", .uint32(2)),
      ("llama.attention.head_count_kv", .uint32(1)),
      ("llama.attention.layer_norm_rms_epsilon", .float32(1e-5)),
      ("llama.rope.dimension_count", .uint32(UInt32(width / 2))),
      ("llama.rope.freq_base", .float32(10_000)),
      ("tokenizer.ggml.model", .string("llama")),
      ("tokenizer.ggml.tokens", .strings(tokens)),
      ("tokenizer.ggml.scores", .float32s(tokens.indices.map { -Float($0) })),
      (
        "tokenizer.ggml.token_type",
        .int32s(tokens.indices.map { $0 == 0 ? 2 : $0 < 3 ? 3 : $0 < 259 ? 6 : 1 })
      ),
      ("tokenizer.ggml.bos_token_id", .uint32(1)),
      ("tokenizer.ggml.eos_token_id", .uint32(2)),
      ("tokenizer.ggml.unknown_token_id", .uint32(0)),
      ("tokenizer.ggml.add_bos_token", .bool(true)),
    ]
    if let template { writer.set("tokenizer.chat_template", .string(template)) }
    let (wide, half, inner) = (UInt64(width), UInt64(width / 2), UInt64(feedForward))
    writer.tensors = [
      Tensor(name: "token_embd.weight", dimensions: [wide, UInt64(tokens.count)]),
      Tensor(name: "output_norm.weight", dimensions: [wide]),
      Tensor(name: "blk.0.attn_norm.weight", dimensions: [wide]),
      Tensor(name: "blk.0.attn_q.weight", dimensions: [wide, wide]),
      Tensor(name: "blk.0.attn_k.weight", dimensions: [wide, half]),
      Tensor(name: "blk.0.attn_v.weight", dimensions: [wide, half]),
      Tensor(name: "blk.0.attn_output.weight", dimensions: [wide, wide]),
      Tensor(name: "blk.0.ffn_norm.weight", dimensions: [wide]),
      Tensor(name: "blk.0.ffn_gate.weight", dimensions: [wide, inner]),
      Tensor(name: "blk.0.ffn_up.weight", dimensions: [wide, inner]),
      Tensor(name: "blk.0.ffn_down.weight", dimensions: [inner, wide]),
    ]
    return writer
  }

  private static func hex(_ number: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return text.count == 1 ? "0" + text : text
  }
}

private import HybridTesting

extension TrialFile {
  /// Every key that llama.cpp reads of a model like the small one, with each value that something may
  /// stumble over: some 1,500 files.
  package static let smashedKeys: [TrialFile] = keyNames.flatMap { name in
    smashes.map { smash in
      TrialFile("\(name) = \(smash.name)") { $0.set(name, smash.value) }
    }
  }

  /// Several keys at once with values of their own type or another, the structure whole.
  package static func smashedAtOnce(_ seeds: Range<UInt64>) -> [TrialFile] {
    seeds.map { seed in
      TrialFile("smash \(seed)") { writer in
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let name = keyNames[Int.random(in: 0..<keyNames.count, using: &random)]
          let smash = smashes[Int.random(in: 0..<smashes.count, using: &random)]
          writer.set(name, smash.value)
        }
      }
    }
  }

  private static let smashes: [(name: String, value: GGUFWriter.Value)] = [
    ("0", .uint32(0)), ("1", .uint32(1)), ("3", .uint32(3)), ("264", .uint32(264)),
    ("513", .uint32(513)), ("2^20", .uint32(1 << 20)), ("2^31", .uint32(1 << 31)),
    ("2^32 - 1", .uint32(.max)), ("-1", .int32(-1)), ("0.0", .float32(0)), ("-1.0", .float32(-1)),
    ("1e38", .float32(1e38)), ("nan", .float32(.nan)), ("true", .bool(true)),
    ("false", .bool(false)), ("''", .string("")), ("'a'", .string("a")),
    ("60,000 letters", .string(String(repeating: "a", count: 60_000))),
    ("[]", .uint32s([])), ("[1]", .uint32s([1])), ("[-1]", .int32s([-1])), ("['']", .strings([""])),
    ("[nan]", .float32s([.nan])),
  ]

  private static let keyNames: [String] =
    GGUFWriter.tinyModel().keys.map(\.name)
    + words(
      """
      alignment quantization_version sampling.top_k sampling.temp
      """, after: "general.")
    + words("count no tensors.count", after: "split.")
    + words(
      """
      vocab_size rope.scaling.type rope.scaling.factor rope.scaling.attn_factor \
      rope.scaling.original_context_length rope.scaling.finetuned rope.scale_linear \
      rope.dimension_sections rope.freq_base_swa attention.key_length attention.value_length \
      attention.sliding_window attention.sliding_window_pattern attention.clamp_kqv \
      attention.max_alibi_bias attention.layer_norm_epsilon attention.causal attention.scale \
      expert_count expert_used_count expert_shared_count expert_group_count expert_gating_func \
      expert_weights_scale pooling_type logit_scale residual_scale embedding_scale \
      use_parallel_residual tensor_data_layout leading_dense_block_count nextn_predict_layers \
      full_attention_interval ssm.state_size wkv.head_size shortconv.l_cache \
      decoder_start_token_id interleave_moe_layer_step adapters.count
      """, after: "llama.")
    + words(
      """
      pre merges token_type_count add_eos_token add_sep_token add_space_prefix \
      remove_extra_whitespaces precompiled_charsmap suppress_tokens eot_token_id eom_token_id \
      seperator_token_id padding_token_id cls_token_id mask_token_id fim_pre_token_id
      """, after: "tokenizer.ggml.")

  private static func words(_ text: String, after prefix: String) -> [String] {
    text.split(separator: " ").map { prefix + $0 }
  }
}

extension TrialFile {
  /// Weights in every format that there is a number for, in the matrices and in the vocabulary's.
  package static let tensorTypes: [TrialFile] = (0...44 as ClosedRange<UInt32>).flatMap {
    type -> [TrialFile] in
    [
      TrialFile("matrices of type \(type)", width: 256, feedForward: 256) { writer in
        for index in writer.tensors.indices.dropFirst()
        where writer.tensors[index].dimensions.count == 2 {
          writer.tensors[index].type = type
        }
      },
      TrialFile("vocabulary of type \(type)", width: 256, feedForward: 256) {
        $0.tensors[0].type = type
      },
      TrialFile("vectors of type \(type)", width: 256, feedForward: 256) { writer in
        for index in writer.tensors.indices where writer.tensors[index].dimensions.count == 1 {
          writer.tensors[index].type = type
        }
      },
    ]
  }

  /// Tensors that lack, are of another shape, or nobody expects.
  package static let tensorLists: [TrialFile] = alteredTensors + addedTensors

  private static let alteredTensors: [TrialFile] = GGUFWriter.tinyModel().tensors.enumerated()
    .flatMap { (index, tensor) -> [TrialFile] in
      let name = tensor.name
      return [
        TrialFile("no \(name)") { $0.tensors.remove(at: index) },
        TrialFile("\(name) turned round") { $0.tensors[index].dimensions.reverse() },
        TrialFile("\(name) of one row") { $0.tensors[index].dimensions = [64] },
        TrialFile("\(name) of one number") { $0.tensors[index].dimensions = [1] },
        TrialFile("\(name) in four dimensions") { $0.tensors[index].dimensions += [1, 1] },
        TrialFile("\(name) in three") { $0.tensors[index].dimensions += [2] },
        TrialFile("\(name) twice as long") {
          $0.tensors[index].dimensions[$0.tensors[index].dimensions.count - 1] *= 2
        },
      ]
    }

  private static let addedNames = [
    "output.weight", "rope_freqs.weight", "blk.0.attn_q.bias", "blk.0.attn_k.bias",
    "blk.0.attn_output.bias", "blk.0.ffn_up.bias", "blk.0.ffn_gate_inp.weight",
    "blk.0.ffn_gate_exps.weight", "blk.0.attn_q.scale", "blk.1.attn_q.weight", "blk.9999999.x",
    "token_embd_norm.weight", "nobody.expects", "blk..", "%s%n%d",
  ]

  private static let addedTensors: [TrialFile] = addedNames.flatMap { name -> [TrialFile] in
    let shapes: [[UInt64]] = [[1], [16], [64], [64, 64], [64, 264], [64, 64, 2]]
    return shapes.map { dimensions in
      TrialFile("\(name) of \(dimensions)") {
        $0.tensors.append(.init(name: name, dimensions: dimensions))
      }
    }
  }

  /// Tokenizers of each kind over the small model's vocabulary, which fits few of them.
  package static let tokenizers: [TrialFile] = [
    "llama", "gpt2", "bert", "t5", "rwkv", "plamo2", "gemma4", "hybriddna", "whitespace", "none",
    "unheard-of", "",
  ].flatMap { model -> [TrialFile] in
    [
      TrialFile("tokenizer '\(model)'") {
        $0.set("tokenizer.ggml.model", .string(model))
        $0.set("tokenizer.ggml.merges", .strings(["a b", "▁ a"]))
      },
      TrialFile("tokenizer '\(model)' with odd merges") {
        $0.set("tokenizer.ggml.model", .string(model))
        $0.set("tokenizer.ggml.merges", .strings(["", "a", " ", "a b c", "  a", "q q"]))
      },
      TrialFile("tokenizer '\(model)' of three tokens") {
        $0.set("tokenizer.ggml.model", .string(model))
        $0.set("tokenizer.ggml.merges", .strings([]))
        $0.set("tokenizer.ggml.tokens", .strings(["x", "y", "z"]))
        $0.tensors[0].dimensions = [64, 3]
      },
      TrialFile("tokenizer '\(model)' that adds tokens at both ends") {
        $0.set("tokenizer.ggml.model", .string(model))
        $0.set("tokenizer.ggml.merges", .strings([]))
        for name in ["bos", "eos", "sep"] {
          $0.set("tokenizer.ggml.add_\(name)_token", .bool(true))
          $0.remove("tokenizer.ggml.\(name)_token_id")
        }
      },
      TrialFile("tokenizer '\(model)' cut like qwen2") {
        $0.set("tokenizer.ggml.model", .string(model))
        $0.set("tokenizer.ggml.pre", .string("qwen2"))
        $0.set("tokenizer.ggml.merges", .strings(["a b"]))
      },
      TrialFile("tokenizer '\(model)' with an empty map") {
        $0.set("tokenizer.ggml.model", .string(model))
        $0.set("tokenizer.ggml.merges", .strings([]))
        $0.set(
          "tokenizer.ggml.precompiled_charsmap",
          .raw(
            type: 9,
            bytes: GGUFWriter.little(UInt32(0)) + GGUFWriter.little(UInt64(8))
              + [0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4]))
      },
    ]
  }
}

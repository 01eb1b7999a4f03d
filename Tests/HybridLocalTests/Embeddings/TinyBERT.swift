import Foundation
import HybridTesting

extension GGUFWriter {
  /// An embedding model that llama.cpp itself can load: an encoder of two layers and width 64 with
  /// two heads, drawn weights, texts up to 64 tokens, and a vocabulary of letters, digits and a few words.
  /// 400 KB. Its vectors mean nothing, and differ with every token and place.
  ///
  /// - Parameter pooling: llama.cpp's number; nil leaves the key out.
  static func tinyBERT(pooling: UInt32? = 1) -> GGUFWriter {
    var writer = GGUFWriter()
    let signs = "abcdefghijklmnopqrstuvwxyz0123456789".map(String.init)
    let words = ["cat", "dog", "the", "sat", "on", "mat", "sky", "blue", "why", "is"]
    let tokens =
      ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + signs.map { "▁" + $0 } + signs
      + words.map { "▁" + $0 } + [".", ",", "!", "?", "[", "]"].map { "▁" + $0 }
    writer.keys = [
      ("general.architecture", .string("bert")),
      ("general.name", .string("Tiny encoder")),
      ("general.file_type", .uint32(0)),
      ("bert.context_length", .uint32(64)),
      ("bert.embedding_length", .uint32(64)),
      ("bert.block_count", .uint32(2)),
      ("bert.feed_forward_length", .uint32(128)),
      ("bert.attention.head_count", .uint32(2)),
      ("bert.attention.layer_norm_epsilon", .float32(1e-12)),
      ("bert.attention.causal", .bool(false)),
      ("tokenizer.ggml.model", .string("bert")),
      ("tokenizer.ggml.token_type_count", .uint32(2)),
      ("tokenizer.ggml.tokens", .strings(tokens)),
      ("tokenizer.ggml.token_type", .int32s(tokens.indices.map { $0 < 5 ? 3 : 1 })),
      ("tokenizer.ggml.padding_token_id", .uint32(0)),
      ("tokenizer.ggml.unknown_token_id", .uint32(1)),
      ("tokenizer.ggml.bos_token_id", .uint32(2)),
      ("tokenizer.ggml.cls_token_id", .uint32(2)),
      ("tokenizer.ggml.seperator_token_id", .uint32(3)),
      ("tokenizer.ggml.mask_token_id", .uint32(4)),
    ]
    if let pooling { writer.set("bert.pooling_type", .uint32(pooling)) }

    var random = SeededGenerator(seed: 4)
    func add(_ name: String, _ dimensions: [UInt64], around middle: Float = 0, by width: Float) {
      let count = Int(dimensions.reduce(1, *))
      writer.tensors.append(
        Tensor(
          name: name, dimensions: dimensions,
          values: (0..<count).map { _ in
            Float.random(in: (middle - width)...(middle + width), using: &random)
          }))
    }
    func norm(_ name: String) {
      add(name + ".weight", [64], around: 1, by: 0.1)
      add(name + ".bias", [64], by: 0.1)
    }
    func linear(_ name: String, from input: UInt64, to output: UInt64) {
      add(name + ".weight", [input, output], by: 0.3)
      add(name + ".bias", [output], by: 0.1)
    }
    add("token_embd.weight", [64, UInt64(tokens.count)], by: 1)
    add("token_types.weight", [64, 2], by: 0.1)
    add("position_embd.weight", [64, 64], by: 0.5)
    norm("token_embd_norm")
    for layer in 0..<2 {
      for part in ["attn_q", "attn_k", "attn_v", "attn_output"] {
        linear("blk.\(layer).\(part)", from: 64, to: 64)
      }
      norm("blk.\(layer).attn_output_norm")
      linear("blk.\(layer).ffn_up", from: 64, to: 128)
      linear("blk.\(layer).ffn_down", from: 128, to: 64)
      norm("blk.\(layer).layer_output_norm")
    }
    return writer
  }

  /// Writes the file into a folder of its own, gone after `body`.
  func withFile<Value>(_ body: (_ path: String) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "model-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "tiny.gguf").path()
    try Data(file()).write(to: URL(filePath: path))
    return try await body(path)
  }
}

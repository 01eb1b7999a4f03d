import HybridLocal
import ModelFileCases

/// A small model of an architecture, with every tensor that llama.cpp asks for.
struct WholeModel: Sendable, CustomStringConvertible {
  let name: String
  let architecture: String
  let writer: GGUFWriter

  var description: String { name }

  private init(
    _ architecture: String, _ name: String? = nil, from base: GGUFWriter = .tinyModel(),
    _ change: (inout GGUFWriter) -> Void = { _ in }
  ) {
    var writer = base
    writer.become(architecture)
    change(&writer)
    (self.name, self.architecture, self.writer) = (name ?? architecture, architecture, writer)
  }

  static let all: [WholeModel] = [
    WholeModel("llama"), WholeModel("mistral3"), WholeModel("smollm3"), WholeModel("qwen2"),
    WholeModel("llama", "llama with an output of its own") {
      $0.tensors.append(.init(name: "output.weight", dimensions: [64, 264]))
    },
    WholeModel("llama", "llama with experts") { writer in
      writer.set("llama.expert_count", .uint32(2))
      writer.set("llama.expert_used_count", .uint32(1))
      writer.tensors.removeAll { $0.name.hasPrefix("blk.0.ffn_") && !$0.name.contains("norm") }
      writer.tensors += [
        .init(name: "blk.0.ffn_gate_inp.weight", dimensions: [64, 2]),
        .init(name: "blk.0.ffn_gate_exps.weight", dimensions: [64, 96, 2]),
        .init(name: "blk.0.ffn_up_exps.weight", dimensions: [64, 96, 2]),
        .init(name: "blk.0.ffn_down_exps.weight", dimensions: [96, 64, 2]),
      ]
    },
    WholeModel("qwen2", "qwen2 with biases") { writer in
      for (part, width) in [("q", 64), ("k", 32), ("v", 32)] as [(String, UInt64)] {
        writer.tensors.append(.init(name: "blk.0.attn_\(part).bias", dimensions: [width]))
      }
      writer.tensors.append(.init(name: "output.bias", dimensions: [264]))
    },
    WholeModel("qwen3") { $0.addNorms(heads: true) },
    WholeModel("gemma"),
    WholeModel("gemma2") { $0.addNorms(after: true) },
    WholeModel("gemma3") { $0.addNorms(heads: true, after: true) },
    WholeModel("phi3") { writer in
      writer.tensors.removeAll {
        ["q", "k", "v"].map { "blk.0.attn_\($0).weight" }.contains($0.name)
      }
      writer.tensors.removeAll { $0.name == "blk.0.ffn_gate.weight" }
      for index in writer.tensors.indices where writer.tensors[index].name.contains("ffn_up") {
        writer.tensors[index].dimensions = [64, 192]
      }
      writer.tensors.append(.init(name: "blk.0.attn_qkv.weight", dimensions: [64, 128]))
    },
    WholeModel("bert", from: .tinyBERT()),
  ]

  struct Change: Sendable {
    let name: String
    let make: @Sendable (inout GGUFWriter) -> Void
  }

  /// Every tensor lacking, of other shapes; tensors more; numbers changed.
  static func changes(of writer: GGUFWriter) -> [Change] {
    writer.tensors.enumerated().flatMap { index, tensor in changes(of: tensor, at: index) }
      + added + numbers(writer)
  }

  private static func changes(of tensor: GGUFWriter.Tensor, at index: Int) -> [Change] {
    func resized(_ name: String, _ dimensions: [UInt64]) -> Change {
      Change(name: "\(tensor.name) \(name)") {
        $0.tensors[index].dimensions = dimensions
        $0.tensors[index].values = nil
      }
    }
    let sides = tensor.dimensions
    return [
      Change(name: "no \(tensor.name)") { $0.tensors.remove(at: index) },
      resized("with sides of 1", sides.count < 3 ? sides + [1, 1] : sides),
      resized("turned round", sides.reversed()),
      resized("longer", sides.dropLast() + [(sides.last ?? 0) + 32]),
      resized("in another dimension", sides.count < 4 ? sides + [2] : sides),
    ]
  }

  private static let added: [Change] = [
    ("output.weight", [64, 264]), ("output.weight", [64, 263]), ("output.bias", [264]),
    ("rope_freqs.weight", [16]), ("rope_factors_long.weight", [16]),
    ("blk.0.attn_q.bias", [64]), ("blk.0.attn_k.bias", [32]), ("blk.0.attn_output.bias", [64]),
    ("blk.0.ffn_up.bias", [96]), ("blk.0.ffn_down.bias", [64]), ("blk.0.ffn_gate.bias", [96]),
    ("blk.0.attn_q.scale", [1]), ("blk.0.attn_q_norm.weight", [32]), ("cls.weight", [64, 64]),
    ("blk.0.ffn_gate_inp.weight", [64, 2]), ("blk.0.attn_qkv.weight", [64, 128]),
    ("blk.0.post_attention_norm.weight", [64]), ("blk.1.attn_norm.weight", [64]),
    ("blk.9.attn_norm.weight", [64]), ("nobody.expects", [64]), ("blk.", [1]), ("blk.x.y", [1]),
  ].map { (name: String, dimensions: [UInt64]) in
    Change(name: "\(name) \(dimensions) more") {
      $0.tensors.append(.init(name: name, dimensions: dimensions))
    }
  }

  private static func numbers(_ writer: GGUFWriter) -> [Change] {
    guard case .string(let architecture)? = writer.keys.first?.value else { return [] }
    func set(_ changes: [(String, UInt32)]) -> Change {
      Change(name: changes.map { "\($0.0) = \($0.1)" }.joined(separator: ", ")) {
        for (key, value) in changes { $0.set("\(architecture).\(key)", .uint32(value)) }
      }
    }
    return [
      set([("block_count", 1)]), set([("block_count", 2)]), set([("block_count", 3)]),
      set([("feed_forward_length", 32)]), set([("feed_forward_length", 97)]),
      set([("embedding_length", 32), ("rope.dimension_count", 16)]),
      set([("embedding_length", 128), ("rope.dimension_count", 64)]),
      set([("attention.head_count", 4), ("rope.dimension_count", 16)]),
      set([("attention.head_count", 1), ("rope.dimension_count", 64)]),
      set([("attention.head_count_kv", 0)]), set([("attention.head_count_kv", 1)]),
      set([("attention.head_count_kv", 2)]), set([("context_length", 128)]),
      set([("attention.key_length", 32), ("attention.value_length", 32)]),
      set([
        ("attention.key_length", 64), ("attention.value_length", 64), ("rope.dimension_count", 64),
      ]),
      set([("vocab_size", 9)]),
      Change(name: "a smaller vocabulary") {
        $0.set("tokenizer.ggml.tokens", .strings((0..<120).map { "t\($0)" }))
      },
    ]
  }
}

extension GGUFWriter {
  /// Norms that some architectures have in each layer.
  fileprivate mutating func addNorms(heads: Bool = false, after: Bool = false) {
    if heads {
      for part in ["q", "k"] {
        tensors.append(.init(name: "blk.0.attn_\(part)_norm.weight", dimensions: [32]))
      }
    }
    guard after else { return }
    for name in ["post_attention_norm", "post_ffw_norm"] {
      tensors.append(.init(name: "blk.0.\(name).weight", dimensions: [64]))
    }
  }
}

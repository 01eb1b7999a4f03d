import HybridLocal

/// Writes GGUF bytes for tests: sound ones by default, false ones where a test says so.
struct GGUFWriter {
  /// A metadata value, or raw bytes after a type number where a test wants nonsense.
  enum Value {
    case uint32(UInt32)
    case int32(Int32)
    case uint64(UInt64)
    case uint16(UInt16)
    case float32(Float)
    case bool(Bool)
    case string(String)
    case strings([String])
    case int32s([Int32])
    case uint32s([UInt32])
    case float32s([Float])
    case raw(type: UInt32, bytes: [UInt8])
  }

  struct Tensor {
    var name: String
    var dimensions: [UInt64]
    /// F32.
    var type: UInt32 = 0
    /// Where its data is said to be; nil puts it where it is due.
    var offset: UInt64?
    /// Bytes of data; nil for what shape and type ask for.
    var bytes: Int?
    /// The data of an F32 tensor; nil for small numbers that are all the same.
    var values: [Float]?
  }

  var magic: [UInt8] = Array("GGUF".utf8)
  var version: UInt32 = 3
  var keys: [(name: String, value: Value)] = []
  var tensors: [Tensor] = []
  /// Counts in the header where they shall differ from the truth.
  var keyCount: UInt64?
  var tensorCount: UInt64?
  var alignment = 32

  /// Replaces the key's value, or adds it.
  mutating func set(_ name: String, _ value: Value) {
    if let index = keys.firstIndex(where: { $0.name == name }) {
      keys[index].value = value
    } else {
      keys.append((name, value))
    }
  }

  mutating func remove(_ name: String) {
    keys.removeAll { $0.name == name }
  }

  /// The bytes of the header: everything before the tensor data and its padding.
  func header() -> [UInt8] {
    var out = magic + Self.little(version)
    out += Self.little(tensorCount ?? UInt64(tensors.count))
    out += Self.little(keyCount ?? UInt64(keys.count))
    for key in keys { out += Self.text(key.name) + Self.value(key.value) }
    var place: UInt64 = 0
    for tensor in tensors {
      out += Self.text(tensor.name) + Self.little(UInt32(tensor.dimensions.count))
      for dimension in tensor.dimensions { out += Self.little(dimension) }
      out += Self.little(tensor.type) + Self.little(tensor.offset ?? place)
      let end = place + UInt64(Self.dataBytes(tensor))
      place = (end + UInt64(alignment) - 1) / UInt64(alignment) * UInt64(alignment)
    }
    return out
  }

  /// The whole file. All weights are small: 0x3A3A3A3A is 0.0007 as a 32-bit number.
  func file() -> [UInt8] {
    var out = header()
    for tensor in tensors {
      let padding = (alignment - out.count % alignment) % alignment
      out += [UInt8](repeating: 0, count: padding)
      out +=
        tensor.values?.flatMap { Self.little($0.bitPattern) }
        ?? [UInt8](repeating: 0x3A, count: Self.dataBytes(tensor))
    }
    return out
  }

  private static func dataBytes(_ tensor: Tensor) -> Int {
    if let bytes = tensor.bytes { return bytes }
    guard let type = GGMLType(number: tensor.type) else { return 0 }
    let elements = tensor.dimensions.reduce(1, &*)
    return Int(clamping: min(elements / type.blockSize &* type.blockBytes, 1 << 20))
  }

  static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  static func text(_ text: String) -> [UInt8] {
    little(UInt64(text.utf8.count)) + Array(text.utf8)
  }

  private static func array(_ type: UInt32, _ count: Int, _ bytes: [UInt8]) -> [UInt8] {
    little(UInt32(9)) + little(type) + little(UInt64(count)) + bytes
  }

  private static func value(_ value: Value) -> [UInt8] {
    switch value {
    case .uint16(let number): little(UInt32(2)) + little(number)
    case .uint32(let number): little(UInt32(4)) + little(number)
    case .int32(let number): little(UInt32(5)) + little(number)
    case .float32(let number): little(UInt32(6)) + little(number.bitPattern)
    case .bool(let flag): little(UInt32(7)) + [flag ? 1 : 0]
    case .string(let string): little(UInt32(8)) + text(string)
    case .uint64(let number): little(UInt32(10)) + little(number)
    case .strings(let list): array(8, list.count, list.flatMap(text))
    case .int32s(let list): array(5, list.count, list.flatMap { little($0) })
    case .uint32s(let list): array(4, list.count, list.flatMap { little($0) })
    case .float32s(let list): array(6, list.count, list.flatMap { little($0.bitPattern) })
    case .raw(let type, let bytes): little(type) + bytes
    }
  }
}

extension GGUFWriter {
  /// A chat model that llama.cpp itself can load: one layer of width 64, two heads that share one
  /// key/value head, 264 tokens (five and every byte), about 150 KB.
  static func tinyModel() -> GGUFWriter {
    var writer = GGUFWriter()
    let bytes = (0..<256).map { "<0x" + hex($0) + ">" }
    let tokens = ["<unk>", "<s>", "</s>"] + bytes + ["▁a", "▁b", "a", "b", "▁"]
    writer.keys = [
      ("general.architecture", .string("llama")),
      ("general.name", .string("Tiny")),
      ("general.file_type", .uint32(0)),
      ("llama.context_length", .uint32(256)),
      ("llama.embedding_length", .uint32(64)),
      ("llama.block_count", .uint32(1)),
      ("llama.feed_forward_length", .uint32(96)),
      ("llama.attention.head_count", .uint32(2)),
      ("llama.attention.head_count_kv", .uint32(1)),
      ("llama.attention.layer_norm_rms_epsilon", .float32(1e-5)),
      ("llama.rope.dimension_count", .uint32(32)),
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
      ("tokenizer.chat_template", .string("{{ messages[0].content }}")),
    ]
    writer.tensors = [
      Tensor(name: "token_embd.weight", dimensions: [64, UInt64(tokens.count)]),
      Tensor(name: "output_norm.weight", dimensions: [64]),
      Tensor(name: "blk.0.attn_norm.weight", dimensions: [64]),
      Tensor(name: "blk.0.attn_q.weight", dimensions: [64, 64]),
      Tensor(name: "blk.0.attn_k.weight", dimensions: [64, 32]),
      Tensor(name: "blk.0.attn_v.weight", dimensions: [64, 32]),
      Tensor(name: "blk.0.attn_output.weight", dimensions: [64, 64]),
      Tensor(name: "blk.0.ffn_norm.weight", dimensions: [64]),
      Tensor(name: "blk.0.ffn_gate.weight", dimensions: [64, 96]),
      Tensor(name: "blk.0.ffn_up.weight", dimensions: [64, 96]),
      Tensor(name: "blk.0.ffn_down.weight", dimensions: [96, 64]),
    ]
    return writer
  }

  private static func hex(_ number: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return text.count == 1 ? "0" + text : text
  }
}

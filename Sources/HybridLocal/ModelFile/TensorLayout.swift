/// The tensors that llama.cpp 0.5.0 asks of a model of one of the common architectures, by the file's own
/// numbers. It refuses a file that lacks one, has one of another shape, or has one more.
///
/// Read from the sources of its loader (`load_arch_tensors` of each architecture). Files of other
/// architectures, and those with numbers that change what is asked for, have none.
struct TensorLayout {
  /// One number of a shape, and the key that it comes from.
  struct Side {
    let size: UInt64
    let source: String

    init(_ size: Int, _ source: String) {
      self.size = UInt64(clamping: size)
      self.source = source
    }
  }

  struct Entry {
    let name: String
    /// nil where any shape will do here.
    let sides: [Side]?
    let isRequired: Bool
  }

  let numbers: LayoutNumbers
  private(set) var entries: [Entry] = []
  private let names: Set<String>

  /// - Parameter names: of the tensors that there are, which decide in which of two ways a layer is kept.
  /// - Returns: nil where llama.cpp's list is not known here.
  init?(
    _ keys: GGUFKeys, shape: ModelShape, vocabulary: Int, architecture: String, names: Set<String>
  ) throws(ModelFileError) {
    guard let kind = LayoutKind.known[architecture],
      let numbers = try LayoutNumbers(
        keys, shape: shape, vocabulary: vocabulary, architecture: architecture)
    else { return nil }
    self.numbers = numbers
    self.names = names
    addOuter(kind)
    for layer in 0..<shape.blockCount { addLayer("blk.\(layer).", kind) }
  }

  private mutating func need(_ name: String, _ sides: Side...) {
    entries.append(Entry(name: name, sides: sides, isRequired: true))
  }

  private mutating func allow(_ name: String, _ sides: Side...) {
    entries.append(
      Entry(name: name, sides: sides.isEmpty ? nil : sides, isRequired: false))
  }

  private mutating func norm(_ name: String, _ kind: LayoutKind) {
    need(name + ".weight", numbers.width)
    if kind.hasNormBiases { need(name + ".bias", numbers.width) }
  }

  private mutating func addOuter(_ kind: LayoutKind) {
    let (width, vocabulary) = (numbers.width, numbers.vocabulary)
    need("token_embd.weight", width, vocabulary)
    if kind.isEncoder {
      need("position_embd.weight", width, numbers.context)
      allow("token_types.weight", width, numbers.tokenTypes)
      norm("token_embd_norm", kind)
      allow("cls.weight", width, width)
      allow("cls.bias", width)
    } else {
      need("output_norm.weight", width)
      if kind.hasOutput { allow("output.weight", width, vocabulary) }
      if kind.hasVocabularyBias { allow("output.bias", vocabulary) }
      let long = ["rope_factors_long", "rope_factors_short"]
      let names: [String] =
        switch kind.rotation {
        case .none: []
        case .byScaling: numbers.isLongRotation ? long : ["rope_freqs"]
        case .long: long
        }
      for name in names { allow(name + ".weight", numbers.rotation) }
    }
    for name in kind.anyShape { allow(name) }
  }

  private mutating func addLayer(_ layer: String, _ kind: LayoutKind) {
    let width = numbers.width
    let query = kind.queryIsWidth ? width : numbers.query
    if !kind.isEncoder { need(layer + "attn_norm.weight", width) }
    addAttention(layer, query: query, key: kind.keysAreValues ? numbers.value : numbers.key)
    need(layer + "attn_output.weight", query, width)
    if kind.hasOutputBias { allow(layer + "attn_output.bias", width) }
    if kind.hasHeadNorms {
      need(layer + "attn_q_norm.weight", numbers.head)
      need(layer + "attn_k_norm.weight", numbers.head)
    }
    for name in kind.norms { norm(layer + name, kind) }
    addFeedForward(layer, kind)
  }

  /// One matrix for queries, keys and values, or three.
  private mutating func addAttention(_ layer: String, query: Side, key: Side) {
    let parts = [("q", query), ("k", key), ("v", numbers.value)]
    let joined = layer + "attn_qkv"
    let isJoined = names.contains(joined + ".weight")
    let all = Side(parts.reduce(0) { $0 + Int($1.1.size) }, numbers.value.source)
    if isJoined { need(joined + ".weight", numbers.width, all) }
    if isJoined, names.contains(joined + ".bias") { return need(joined + ".bias", all) }
    for (part, side) in parts {
      if !isJoined { need(layer + "attn_\(part).weight", numbers.width, side) }
      allow(layer + "attn_\(part).bias", side)
    }
  }

  private mutating func addFeedForward(_ layer: String, _ kind: LayoutKind) {
    let (width, inner) = (numbers.width, numbers.feedForward)
    if numbers.experts.size > 0, kind.hasExperts {
      need(layer + "ffn_gate_inp.weight", width, numbers.experts)
      allow(layer + "ffn_gate_exps.weight", width, inner, numbers.experts)
      need(layer + "ffn_down_exps.weight", inner, width, numbers.experts)
      need(layer + "ffn_up_exps.weight", width, inner, numbers.experts)
      return
    }
    if kind.hasGate { need(layer + "ffn_gate.weight", width, inner) }
    need(layer + "ffn_down.weight", inner, width)
    need(
      layer + "ffn_up.weight", width,
      kind.gateIsInUp ? Side(2 * Int(inner.size), "twice \(inner.source)") : inner)
    guard kind.hasFeedForwardBiases else { return }
    if kind.hasGate { allow(layer + "ffn_gate.bias", inner) }
    allow(layer + "ffn_down.bias", width)
    allow(layer + "ffn_up.bias", inner)
  }
}

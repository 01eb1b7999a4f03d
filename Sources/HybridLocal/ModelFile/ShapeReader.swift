/// Reads the numbers of ``ModelShape`` that depend on one another.
struct ShapeReader {
  let keys: GGUFKeys
  let architecture: String

  private func key(_ name: String) -> String { "\(architecture).\(name)" }

  /// Heads of each layer. Without attention (Mamba, RWKV) there are none.
  func heads(layers: Int, isRecurrent: Bool) throws(ModelFileError) -> (
    query: [Int], keyValue: [Int]
  ) {
    let queryKey = key("attention.head_count")
    let keyValueKey = key("attention.head_count_kv")
    let range = 0...65_536
    guard
      let query = try keys.perLayer(queryKey, layers: layers, in: range)
        ?? (isRecurrent ? Array(repeating: 0, count: layers) : nil)
    else { throw keys.missing(queryKey) }
    guard isRecurrent || query.contains(where: { $0 > 0 }) else {
      throw keys.bad(queryKey, "\(queryKey) is 0")
    }
    let keyValue = try keys.perLayer(keyValueKey, layers: layers, in: range) ?? query
    for (layer, pair) in zip(query, keyValue).enumerated() where pair.1 > 0 {
      guard pair.0 % pair.1 == 0 else {
        throw keys.bad(
          keyValueKey,
          "layer \(layer) has \(pair.0) heads, which do not share \(pair.1) key/value heads evenly")
      }
    }
    return (query, keyValue)
  }

  /// Numbers in a head's key and value: width ÷ heads where the file does not say.
  func headLengths(width: Int, heads: [Int]) throws(ModelFileError) -> (key: Int, value: Int) {
    let range = 1...(1 << 16)
    let keyKey = key("attention.key_length")
    let valueKey = key("attention.value_length")
    let rotationKey = key("rope.dimension_count")
    // llama.cpp takes the first layer's heads for the default; without any there is no attention.
    let shared = heads.first.flatMap { $0 > 0 ? width / $0 : nil } ?? 0
    let keyLength = try keys.count(keyKey, in: range) ?? shared
    let valueLength = try keys.count(valueKey, in: range) ?? shared
    guard heads.first ?? 0 == 0 || (keyLength > 0 && valueLength > 0) else {
      throw keys.bad(
        key("attention.head_count"), "\(heads[0]) heads do not fit a width of \(width)")
    }

    let rotated = try keys.count(rotationKey) ?? keyLength
    guard rotated <= keyLength || keyLength == 0, rotated % 2 == 0 else {
      throw keys.bad(
        rotationKey, "\(rotationKey) is \(rotated); it must be even and at most \(keyLength)")
    }
    if Self.wholeHeadArchitectures.contains(architecture), heads.first ?? 0 > 0 {
      guard keyLength == valueLength, rotated == keyLength else {
        throw keys.bad(
          keys.values[keyKey] == nil ? rotationKey : keyKey,
          "\(architecture) models need keys, values and rotation of one length; "
            + "these are \(keyLength), \(valueLength) and \(rotated)")
      }
    }
    return (keyLength, valueLength)
  }

  /// Refuses rotations in sections of which none has a length: the computation asserts that one has.
  func requireRotationSections() throws(ModelFileError) {
    guard Self.sectionedArchitectures.contains(architecture) else { return }
    let sectionsKey = key("rope.dimension_sections")
    // Where llama.cpp's loader itself asks for them, their absence is its to tell.
    guard let sections = try keys.array(sectionsKey)?.integers else {
      if architecture == "paddleocr" { throw keys.missing(sectionsKey) }
      return
    }
    guard sections.prefix(3).contains(where: { $0 > 0 }) else {
      throw keys.bad(sectionsKey, "no section of \(sectionsKey) has a length")
    }
  }

  private static let sectionedArchitectures: Set<String> = [
    "paddleocr", "qwen2vl", "qwen35", "qwen35moe", "qwen3vl", "qwen3vlmoe", "qwen4exp",
  ]

  /// Experts, within the bounds that llama.cpp's loader asserts.
  func experts(layers: Int) throws(ModelFileError) -> Int {
    let countKey = key("expert_count")
    let usedKey = key("expert_used_count")
    let groupKey = key("expert_group_count")
    let usedGroupKey = key("expert_group_used_count")
    let count = try keys.count(countKey, in: 0...1_024) ?? 0
    // Its loader asserts that there are some.
    if architecture == "smallthinker", count == 0 {
      throw keys.values[countKey] == nil
        ? keys.missing(countKey) : keys.bad(countKey, "\(countKey) is 0")
    }
    let used = try keys.perLayer(usedKey, layers: layers, in: 0...1_024)?.max() ?? 0
    let groups = try keys.count(groupKey) ?? 0
    let usedGroups = try keys.count(usedGroupKey) ?? 0
    guard used <= count, (count > 0) == (used > 0) else {
      throw keys.bad(usedKey, "\(usedKey) is \(used) of \(count) experts")
    }
    guard groups < max(count, 1) else {
      throw keys.bad(groupKey, "\(groupKey) is \(groups) for \(count) experts")
    }
    if groups > 1 {
      guard count % groups == 0, (1..<groups).contains(usedGroups) else {
        throw keys.bad(
          groupKey, "\(groups) groups, \(usedGroups) of them used, do not fit \(count) experts")
      }
    }
    return count
  }

  /// Bytes of one sequence's state in one layer, kept as 32-bit numbers.
  ///
  ///     state-space   ((kernel − 1) · (inner + 2 · groups · state) + inner · state) · 4
  ///     RWKV          (2 · width + width · head size) · 4
  ///     short conv.   (kernel − 1) · width · 4
  func recurrentStateBytes(width: Int) throws(ModelFileError) -> Int? {
    let range = 0...(1 << 20)
    if let state = try keys.count(key("ssm.state_size"), in: range) {
      let inner = try keys.count(key("ssm.inner_size"), in: range) ?? 0
      let kernel = try keys.count(key("ssm.conv_kernel"), in: range) ?? 1
      let groups = try keys.count(key("ssm.group_count"), in: range) ?? 0
      return Self.saturating { (max(kernel, 1) - 1) * (inner + 2 * groups * state) + inner * state }
    }
    if let head = try keys.count(key("wkv.head_size"), in: range) {
      return Self.saturating { 2 * width + width * head }
    }
    if let cache = try keys.count(key("shortconv.l_cache"), in: range) {
      return Self.saturating { (max(cache, 1) - 1) * width }
    }
    return nil
  }

  /// The factors are below 2^20, so that a product of two stays below 2^40 and of three below 2^62.
  private static func saturating(_ numbers: () -> Int) -> Int {
    let (bytes, overflow) = numbers().multipliedReportingOverflow(by: 4)
    return overflow ? .max : bytes
  }

  /// Values on which llama.cpp's loader or its operators assert.
  func checkScalars(layers: Int) throws(ModelFileError) {
    _ = try keys.count(key("nextn_predict_layers"), in: 0...layers)
    let scalingKey = key("rope.scaling.type")
    if let scaling = try keys.text(scalingKey) {
      guard ["none", "linear", "yarn", "longrope"].contains(scaling) else {
        throw keys.bad(
          scalingKey, "\(scalingKey) is \(ModelFileError.printable(scaling)), which is not known")
      }
    }
    for name in ["layer_norm_epsilon", "layer_norm_rms_epsilon", "group_norm_epsilon"] {
      let epsilonKey = key("attention.\(name)")
      guard let value = keys.values[epsilonKey] else { continue }
      guard value.type == .float32, case .real(let epsilon) = value.payload else {
        throw keys.wrongType(epsilonKey, value, "a 32-bit floating-point number")
      }
      guard epsilon >= 0, epsilon.isFinite else {
        throw keys.bad(epsilonKey, "\(epsilonKey) is \(epsilon)")
      }
    }
  }

  /// Architectures whose graph in llama.cpp 0.5.0 asserts that keys, values and rotation have one
  /// length. (Others rotate a part of a head, or have heads of several lengths.)
  private static let wholeHeadArchitectures: Set<String> = [
    "apertus", "arcee", "arctic", "baichuan", "chameleon", "codeshell", "dbrx", "deci", "deepseek",
    "dots1", "dream", "ernie4_5", "ernie4_5-moe", "exaone", "falcon", "granite", "granitemoe",
    "grok", "grovemoe", "hunyuan-moe", "internlm2", "jais2", "llada", "llada-moe", "llama",
    "llama4", "maincoder", "mistral3", "nemotron", "olmo", "olmo2", "olmoe", "orion",
    "pangu-embedded", "plamo", "qwen2", "qwen2moe", "qwen2vl", "qwen3", "qwen3moe", "qwen3vl",
    "qwen3vlmoe", "rnd1", "seed_oss", "smallthinker", "smollm3", "starcoder2", "xverse",
  ]
}

/// Compares a file's tensors with its own numbers, before llama.cpp does.
enum TensorFit {
  /// - Returns: false where llama.cpp's list of tensors is not known here, or the file has none at all.
  /// - Throws: `missingTensor`, `wrongShape`, `strayTensor` where llama.cpp would refuse the file.
  @discardableResult
  static func check(
    _ tensors: [GGUFTensor], _ keys: GGUFKeys, shape: ModelShape, vocabulary: Int,
    architecture: String
  ) throws(ModelFileError) -> Bool {
    guard !tensors.isEmpty,
      let layout = try TensorLayout(
        keys, shape: shape, vocabulary: vocabulary, architecture: architecture,
        names: Set(tensors.map(\.name)))
    else { return false }
    var found = Dictionary(tensors.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let layers = layerCount(tensors)
    for entry in layout.entries {
      if let tensor = found.removeValue(forKey: entry.name) {
        if let error = misfit(tensor, entry) { throw error }
      } else if entry.isRequired {
        throw missing(entry.name, layout, layers: layers, keys)
      }
    }
    // Of the file's own order, for a message that stays the same.
    let names = Set(tensors.map(\.name))
    for tensor in tensors where found[tensor.name] != nil && !isScale(tensor.name, names) {
      throw stray(tensor.name, layout, keys)
    }
    return true
  }

  /// What looks wrong in a file of an architecture whose list is not known: sentences without a full stop.
  static func doubts(
    _ tensors: [GGUFTensor], shape: ModelShape, vocabulary: Int, architecture: String
  ) -> [String] {
    var doubts: [String] = []
    let layers = layerCount(tensors)
    if layers > 0, layers != shape.blockCount {
      doubts.append(
        "\(ModelFileError.printable(architecture)).block_count is \(shape.blockCount), and there are tensors of \(layers) layers"
      )
    }
    if let tensor = tensors.first(where: { $0.name == "token_embd.weight" }) {
      let due = [UInt64(shape.embeddingLength), UInt64(vocabulary)]
      if !isEqual(tensor.dimensions, due) {
        doubts.append(
          "the tensor token_embd.weight is \(shown(tensor.dimensions)), and should be \(shown(due)) "
            + "by the width and the vocabulary")
      }
    }
    return doubts
  }

  /// One more than the highest number of a layer.
  private static func layerCount(_ tensors: [GGUFTensor]) -> Int {
    (tensors.compactMap { layer(of: $0.name) }.max() ?? -1) + 1
  }

  private static func layer(of name: String) -> Int? {
    guard name.hasPrefix("blk.") else { return nil }
    // No file has as many tensors.
    return Int(name.dropFirst(4).prefix { $0 != "." }).flatMap {
      (0..<1 << 20).contains($0) ? $0 : nil
    }
  }

  /// llama.cpp takes these for any matrix that is there.
  private static func isScale(_ name: String, _ names: Set<String>) -> Bool {
    for suffix in [".scale", ".input_scale"] where name.hasSuffix(suffix) {
      return names.contains(name.dropLast(suffix.count) + ".weight")
    }
    return false
  }

  /// Sides that are not there have the length 1.
  private static func isEqual(_ dimensions: [UInt64], _ due: [UInt64]) -> Bool {
    (0..<4).allSatisfy { axis in
      (axis < dimensions.count ? dimensions[axis] : 1) == (axis < due.count ? due[axis] : 1)
    }
  }

  private static func shown(_ dimensions: [UInt64]) -> String {
    dimensions.map { "\($0)" }.joined(separator: " × ")
  }

  private static func misfit(
    _ tensor: GGUFTensor, _ entry: TensorLayout.Entry
  ) -> ModelFileError? {
    guard let sides = entry.sides, !isEqual(tensor.dimensions, sides.map(\.size)) else {
      return nil
    }
    let wrong = sides.enumerated().filter { axis, side in
      (axis < tensor.dimensions.count ? tensor.dimensions[axis] : 1) != side.size
    }
    let sources = (wrong.isEmpty ? sides : wrong.map(\.element)).map(\.source)
    return ModelFileError(
      .wrongShape,
      "the tensor \(tensor.name) is \(shown(tensor.dimensions)), and should be "
        + "\(shown(sides.map(\.size))) by \(sources.joined(separator: " and "))",
      key: tensor.name)
  }

  private static func missing(
    _ name: String, _ layout: TensorLayout, layers: Int, _ keys: GGUFKeys
  ) -> ModelFileError {
    let (key, count) = (layout.numbers.layersKey, layout.numbers.layers)
    guard let layer = layer(of: name), layer >= layers else {
      return ModelFileError(
        .missingTensor, "there is no tensor \(name), which a model of this architecture has",
        key: name)
    }
    return ModelFileError(
      .missingTensor, "\(key) is \(count), and there are tensors of \(layers) layers",
      offset: keys.values[key]?.offset, key: key)
  }

  private static func stray(
    _ name: String, _ layout: TensorLayout, _ keys: GGUFKeys
  ) -> ModelFileError {
    let (key, count) = (layout.numbers.layersKey, layout.numbers.layers)
    let shown = ModelFileError.printable(name)
    if let layer = layer(of: name), layer >= count {
      return ModelFileError(
        .strayTensor, "\(key) is \(count), and there is a tensor \(shown)",
        offset: keys.values[key]?.offset, key: name)
    }
    return ModelFileError(
      .strayTensor,
      "there is a tensor \(shown), which llama.cpp does not take in a model of this architecture",
      key: name)
  }
}

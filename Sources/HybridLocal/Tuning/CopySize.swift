/// How large a model file becomes in another format, from its header: never less than it does.
///
/// llama.cpp's quantiser keeps vectors and norms as they are, stores the embedding and the output matrix
/// in more bits than the others where a format has few, and turns rows that are no whole blocks into
/// 16-bit numbers. Two per cent are added for what else it decides by itself.
enum CopySize {
  static func bytes(of format: WeightFormat, for contents: GGUFContents) -> UInt64 {
    var sum = contents.dataOffset
    for tensor in contents.tensors {
      sum += (bytes(of: format, for: tensor) + 31) / 32 * 32
    }
    return sum + sum / 50
  }

  private static func bytes(of format: WeightFormat, for tensor: GGUFTensor) -> UInt64 {
    let isMatrix = tensor.dimensions.dropFirst().contains { $0 > 1 }
    guard isMatrix, tensor.name.hasSuffix("weight"), !tensor.name.hasSuffix("_norm.weight") else {
      return tensor.bytes
    }
    let elements = tensor.dimensions.reduce(1, &*)
    let type = format.type
    guard tensor.dimensions[0] % type.blockSize == 0 else { return 2 * elements }
    let plain = elements / type.blockSize * type.blockBytes
    let isOuter = ["token_embd.weight", "output.weight"].contains(tensor.name)
    let type8 = WeightFormat.q8.type
    return isOuter ? max(plain, elements / type8.blockSize * type8.blockBytes) : plain
  }
}

/// Reads a header's list of tensors.
enum TensorReader {
  /// llama.cpp keeps names in 64 bytes, the closing zero among them.
  private static let nameLimit: UInt64 = 63

  static func read(
    _ cursor: inout GGUFCursor, count: Int, alignment: UInt64
  ) throws(ModelFileError) -> [GGUFTensor] {
    var tensors: [GGUFTensor] = []
    var names: Set<String> = []
    // Where the next tensor's data must begin: right behind the one before, as llama.cpp demands.
    // That rules out gaps, overlaps and false alignment at once.
    var place: UInt64 = 0
    for number in 0..<count {
      let start = cursor.offset
      let tensor = try tensor(&cursor, number: number)
      let shown = ModelFileError.printable(tensor.name)
      guard names.insert(tensor.name).inserted else {
        throw ModelFileError(
          .duplicateTensor, "the tensor \(shown) stands twice", offset: start, key: tensor.name)
      }
      guard tensor.offset == place else {
        throw ModelFileError(
          .misplacedTensor,
          "the data of tensor \(shown) is said to be at \(tensor.offset) where \(place) is due",
          offset: start, key: tensor.name)
      }
      // Whole files stay far below 2^62 bytes, so no later sum can overflow either.
      let (end, overflow) = place.addingReportingOverflow(tensor.bytes)
      guard !overflow, end < 1 << 62 else {
        throw ModelFileError(
          .badTensor, "the tensors up to \(shown) need more bytes than any file has",
          offset: start, key: tensor.name)
      }
      place = (end + alignment - 1) / alignment * alignment
      tensors.append(tensor)
    }
    return tensors
  }

  private static func tensor(_ cursor: inout GGUFCursor, number: Int) throws(ModelFileError)
    -> GGUFTensor
  {
    let start = cursor.offset
    let name = try cursor.string(limit: nameLimit, "the name of tensor \(number)")
    let shown = ModelFileError.printable(name)
    guard !name.isEmpty else {
      throw ModelFileError(.badTensor, "tensor \(number) has no name", offset: start)
    }
    func bad(_ problem: String) -> ModelFileError {
      ModelFileError(.badTensor, "tensor \(shown) \(problem)", offset: start, key: name)
    }

    let axes = try cursor.uint32("the shape of tensor \(shown)")
    guard (1...4).contains(axes) else { throw bad("has \(axes) dimensions; 1 to 4 are allowed") }
    var dimensions: [UInt64] = []
    var elements: UInt64 = 1
    for _ in 0..<axes {
      let size = try cursor.uint64("the shape of tensor \(shown)")
      guard size >= 1, size <= UInt64(Int64.max) else { throw bad("has a dimension of \(size)") }
      let (product, overflow) = elements.multipliedReportingOverflow(by: size)
      guard !overflow, product <= UInt64(Int64.max) else {
        throw bad("has more elements than can be counted")
      }
      elements = product
      dimensions.append(size)
    }

    let typeNumber = try cursor.uint32("the type of tensor \(shown)")
    guard let type = GGMLType(number: typeNumber) else {
      throw ModelFileError(
        .unknownTensorType, "tensor \(shown) has the unknown type \(typeNumber)", offset: start,
        key: name)
    }
    // Norms and biases are added and multiplied one by one, for which ggml has no other type beside the
    // activations' own: it ends the process. llama.cpp's converter leaves them so.
    guard axes > 1 || type.name == "F32" else {
      throw bad("has one dimension and the type \(type.name); only F32 can be computed with there")
    }
    guard type.isForWeights else {
      throw bad("has the type \(type.name), in which no weights are")
    }
    guard dimensions[0] % type.blockSize == 0 else {
      throw bad("has rows of \(dimensions[0]), not whole blocks of \(type.blockSize)")
    }
    let (bytes, overflow) = (elements / type.blockSize).multipliedReportingOverflow(
      by: type.blockBytes)
    guard !overflow else { throw bad("needs more bytes than can be counted") }
    let offset = try cursor.uint64("the place of tensor \(shown)")
    return GGUFTensor(
      name: name, dimensions: dimensions, type: type, offset: offset, bytes: bytes)
  }
}

/// A model file's header, checked: what HybridKit needs to know before llama.cpp sees the file.
///
/// Reads the header alone, in pieces of 256 KiB; costs a few milliseconds and well under a megabyte
/// beside the vocabulary's hashes (16 to 32 bytes a token, freed at the end). Embedding models and
/// files with a vocabulary only can be read; ``requireChatModel()`` refuses them.
package struct GGUFHeader: Sendable, Hashable {
  /// The family that llama.cpp builds the graph by, such as `llama`.
  package let architecture: String
  /// The model's name as its makers wrote it.
  package let name: String?
  /// The licence field, such as `apache-2.0`.
  package let license: String?
  /// Rough size as its makers wrote it, such as `135M`.
  package let sizeLabel: String?
  /// The format of the weights, such as `Q4_1`.
  package let quantization: String
  package let shape: ModelShape
  package let vocabulary: VocabularyHeader
  /// How the output is pooled, by llama.cpp's number: 0 not at all, 1 mean, 2 first token, 3 last token,
  /// 4 a reranker's. nil where the file does not say.
  package let poolingType: Int?
  /// Weights, in numbers and in bytes.
  package let parameterCount: UInt64
  package let tensorBytes: UInt64
  package let tensorCount: Int
  /// Bytes of the matrices by the name of their format; vectors are few, and always fast.
  package let matrixBytes: [String: UInt64]
  package let fileSize: UInt64
  /// 2 or 3.
  package let version: UInt32
  /// Why the file is no chat model; nil when it is one.
  private let unfitness: ModelFileError?

  /// False for files that hold a vocabulary only.
  package var hasWeights: Bool { tensorCount > 0 }

  /// Reads the header of the file at a path.
  ///
  /// - Throws: ``ModelFileError`` with the path.
  package init(path: String) throws(ModelFileError) {
    do throws(ModelFileError) {
      self = try GGUFHeader(ModelFileHandle(path: path).bytes, name: path)
    } catch {
      throw error.at(path: path)
    }
  }

  /// Reads a header from bytes; the file's name tells the parts of a split model.
  package init(_ source: ModelBytes, name path: String = "") throws(ModelFileError) {
    let contents = try GGUFContents(source)
    self = try GGUFHeader(contents, name: path)
    try TokenizerLists.check(source, contents.values)
    try TensorFit.check(
      contents.tensors, GGUFKeys(values: contents.values), shape: shape,
      vocabulary: vocabulary.size, architecture: architecture)
  }

  init(_ contents: GGUFContents, name path: String) throws(ModelFileError) {
    let keys = GGUFKeys(values: contents.values)
    let architecture = try Self.architecture(keys)
    try SplitFile.refuse(keys, path: path)
    try ModelKind.refuseCompanions(keys, architecture: architecture)

    self.architecture = architecture
    name = try keys.text("general.name")
    license = try keys.text("general.license")
    sizeLabel = try keys.text("general.size_label")
    shape = try ModelShape(keys, architecture: architecture)
    vocabulary = try VocabularyHeader(keys)
    poolingType = try ModelKind.poolingType(keys, architecture: architecture)
    quantization = try Self.quantization(keys, contents.tensors)
    parameterCount = contents.tensors.reduce(0) { sum, tensor in
      sum &+ tensor.dimensions.reduce(1, &*)
    }
    tensorBytes = contents.tensorBytes
    tensorCount = contents.tensors.count
    matrixBytes = contents.tensors.reduce(into: [:]) { bytes, tensor in
      if tensor.dimensions.count > 1 { bytes[tensor.type.name, default: 0] &+= tensor.bytes }
    }
    fileSize = contents.fileSize
    version = contents.version
    unfitness = try ModelKind.unfitness(
      keys, architecture: architecture, hasWeights: !contents.tensors.isEmpty)
  }

  /// - Throws: ``ModelFileError`` of the kinds vocabularyOnly, embeddingModel, notAChatModel.
  package func requireChatModel() throws(ModelFileError) {
    if let unfitness { throw unfitness }
  }

  static func architecture(_ keys: GGUFKeys) throws(ModelFileError) -> String {
    guard let architecture = try keys.text("general.architecture") else {
      throw keys.missing("general.architecture")
    }
    guard !architecture.isEmpty, architecture.utf8.count <= 64 else {
      throw keys.bad("general.architecture", "the architecture has no usable name")
    }
    return architecture
  }

  /// `general.file_type`, else the format that holds most bytes.
  static func quantization(_ keys: GGUFKeys, _ tensors: [GGUFTensor])
    throws(ModelFileError) -> String
  {
    if let number = try keys.count("general.file_type"), let name = GGMLType.fileTypeName(number) {
      return name
    }
    var bytes: [String: UInt64] = [:]
    for tensor in tensors { bytes[tensor.type.name, default: 0] &+= tensor.bytes }
    return bytes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? "unknown"
  }
}

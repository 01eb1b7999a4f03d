/// A tensor's entry in the header.
package struct GGUFTensor: Sendable, Hashable {
  package let name: String
  /// Elements along each axis, the fastest first; 1 to 4 of them, each at least 1.
  package let dimensions: [UInt64]
  package let type: GGMLType
  /// Bytes from the start of the tensor data.
  package let offset: UInt64
  package let bytes: UInt64
}

/// The header of a GGUF file: its keys and its tensors, every length and place checked.
///
/// Costs memory for the keys, a copy of short texts and one entry a tensor; vocabularies and merges
/// are passed over (the texts of a vocabulary leave a hash each while it is being read).
struct GGUFContents: Sendable {
  let fileSize: UInt64
  let version: UInt32
  let values: [String: GGUFValue]
  let tensors: [GGUFTensor]
  /// Bytes from the start of the file to the tensor data.
  let dataOffset: UInt64

  /// The bytes of all tensors.
  var tensorBytes: UInt64 { tensors.reduce(0) { $0 + $1.bytes } }

  /// - Throws: ``ModelFileError`` naming the place of the first thing that is wrong.
  init(_ source: ModelBytes) throws(ModelFileError) {
    var reader = GGUFReader(source)
    try reader.signature()
    version = try reader.version()
    let counts = try reader.counts()
    values = try reader.values(counts.keys)
    let alignment = try GGUFReader.alignment(values)
    tensors = try reader.tensors(counts.tensors, alignment: alignment)
    dataOffset = reader.dataOffset(alignment: alignment)
    fileSize = source.size
    try GGUFReader.checkData(tensors, from: dataOffset, fileSize: fileSize)
  }
}

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
    try FileSignature.check(source)
    var cursor = GGUFCursor(source)
    try cursor.skip(4, "the magic number")
    let version = try cursor.uint32("the version")
    try Self.check(version: version)
    let tensorCount = try cursor.uint64("the number of tensors")
    let keyCount = try cursor.uint64("the number of keys")
    // The shortest key takes 14 bytes and the shortest tensor entry 33, so larger counts are false
    // whatever follows.
    try Self.check(count: keyCount, of: "keys", each: 14, limit: 1 << 16, cursor)
    try Self.check(count: tensorCount, of: "tensors", each: 33, limit: 1 << 18, cursor)

    values = try MetadataReader.read(&cursor, count: Int(keyCount))
    let alignment = try Self.alignment(values)
    let list = try TensorReader.read(&cursor, count: Int(tensorCount), alignment: alignment)
    tensors = list
    dataOffset = (cursor.offset + alignment - 1) / alignment * alignment
    fileSize = source.size
    self.version = version
    try checkData()
  }

  private static func check(version: UInt32) throws(ModelFileError) {
    switch version {
    case 2, 3: return
    case 1:
      throw ModelFileError(.unsupportedVersion, "this is GGUF version 1, which llama.cpp dropped")
    case _ where version & 0xFFFF == 0 && version != 0:
      throw ModelFileError(
        .bigEndian, "this GGUF file has its bytes in big-endian order", offset: 4)
    default:
      throw ModelFileError(
        .unsupportedVersion, "this says GGUF version \(version); versions 2 and 3 are known",
        offset: 4)
    }
  }

  private static func check(
    count: UInt64, of what: String, each: UInt64, limit: UInt64, _ cursor: borrowing GGUFCursor
  ) throws(ModelFileError) {
    guard count <= limit else {
      throw ModelFileError(
        .tooLarge, "the header claims \(count) \(what); at most \(limit) are allowed",
        offset: cursor.offset)
    }
    try cursor.require(count * each, for: "a list of \(count) \(what)")
  }

  /// `general.alignment`: a power of two from 32 to 1 MiB; 32 where it is not given.
  ///
  /// llama.cpp takes smaller ones too, but then its CPU buffer asserts that the data starts at a
  /// multiple of 32.
  private static func alignment(_ values: [String: GGUFValue]) throws(ModelFileError) -> UInt64 {
    let key = "general.alignment"
    guard let value = values[key] else { return 32 }
    guard value.type == .uint32, case .integer(let alignment) = value.payload else {
      throw ModelFileError(
        .wrongType, "\(key) must be a 32-bit unsigned number", offset: value.offset, key: key)
    }
    guard (32...(1 << 20)).contains(alignment), alignment & (alignment - 1) == 0 else {
      throw ModelFileError(
        .badValue, "\(key) is \(alignment); it must be a power of two from 32 to 1048576",
        offset: value.offset, key: key)
    }
    return UInt64(alignment)
  }

  /// The last tensor must end inside the file.
  private func checkData() throws(ModelFileError) {
    guard let last = tensors.last else { return }
    let end = dataOffset + last.offset + last.bytes
    guard end <= fileSize else {
      throw ModelFileError(
        .truncated, "the file has \(fileSize) bytes where its header asks for \(end)",
        offset: fileSize, key: tensors.first { dataOffset + $0.offset + $0.bytes > fileSize }?.name)
    }
  }
}

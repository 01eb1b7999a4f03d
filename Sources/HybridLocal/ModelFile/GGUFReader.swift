/// Reads a header one part after the other, each checked as it is read. Call the steps in their order.
struct GGUFReader: ~Copyable {
  private let source: ModelBytes
  private var cursor: GGUFCursor

  init(_ source: ModelBytes) {
    self.source = source
    cursor = GGUFCursor(source)
  }

  mutating func signature() throws(ModelFileError) {
    try FileSignature.check(source)
    try cursor.skip(4, "the magic number")
  }

  /// 2 or 3.
  mutating func version() throws(ModelFileError) -> UInt32 {
    let version = try cursor.uint32("the version")
    switch version {
    case 2, 3: return version
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

  mutating func counts() throws(ModelFileError) -> (tensors: Int, keys: Int) {
    let tensors = try cursor.uint64("the number of tensors")
    let keys = try cursor.uint64("the number of keys")
    // The shortest key takes 14 bytes and the shortest tensor entry 33, so larger counts are false
    // whatever follows.
    try check(count: keys, of: "keys", each: 14, limit: 1 << 16)
    try check(count: tensors, of: "tensors", each: 33, limit: 1 << 18)
    return (Int(tensors), Int(keys))
  }

  private func check(
    count: UInt64, of what: String, each: UInt64, limit: UInt64
  ) throws(ModelFileError) {
    guard count <= limit else {
      throw ModelFileError(
        .tooLarge, "the header claims \(count) \(what); at most \(limit) are allowed",
        offset: cursor.offset)
    }
    try cursor.require(count * each, for: "a list of \(count) \(what)")
  }

  mutating func values(_ count: Int) throws(ModelFileError) -> [String: GGUFValue] {
    try MetadataReader.read(&cursor, count: count)
  }

  /// `general.alignment`: a power of two from 32 to 1 MiB; 32 where it is not given.
  ///
  /// llama.cpp takes smaller ones too, but then its CPU buffer asserts that the data starts at a
  /// multiple of 32.
  static func alignment(_ values: [String: GGUFValue]) throws(ModelFileError) -> UInt64 {
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

  mutating func tensors(
    _ count: Int, alignment: UInt64
  ) throws(ModelFileError) -> [GGUFTensor] {
    try TensorReader.read(&cursor, count: count, alignment: alignment)
  }

  /// Bytes from the start of the file to the tensor data, once the tensors are read.
  func dataOffset(alignment: UInt64) -> UInt64 {
    (cursor.offset + alignment - 1) / alignment * alignment
  }

  /// The last tensor must end inside the file.
  static func checkData(
    _ tensors: [GGUFTensor], from dataOffset: UInt64, fileSize: UInt64
  ) throws(ModelFileError) {
    guard let last = tensors.last else { return }
    let end = dataOffset + last.offset + last.bytes
    guard end <= fileSize else {
      throw ModelFileError(
        .truncated, "the file has \(fileSize) bytes where its header asks for \(end)",
        offset: fileSize, key: tensors.first { dataOffset + $0.offset + $0.bytes > fileSize }?.name)
    }
  }
  /// Bytes of the file behind the last tensor and the padding that follows each.
  static func bytes(
    after tensors: [GGUFTensor], from dataOffset: UInt64, alignment: UInt64, fileSize: UInt64
  ) -> UInt64 {
    let end =
      tensors.last.map { ($0.offset + $0.bytes + alignment - 1) / alignment * alignment } ?? 0
    let whole = dataOffset + end
    return fileSize > whole ? fileSize - whole : 0
  }
}

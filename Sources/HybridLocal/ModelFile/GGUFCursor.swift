/// A place in a model file that only moves forwards, with 256 KiB of it in memory.
///
/// All numbers are little-endian. Nothing is believed: each read is checked against the file's size
/// first, so a false length costs neither time nor memory.
struct GGUFCursor: ~Copyable {
  private let source: ModelBytes
  private var buffer: [UInt8] = []
  private var bufferStart: UInt64 = 0
  /// The next byte's place in the buffer.
  private var index = 0

  private static let chunk = 256 << 10

  /// - Parameter offset: bytes from the start of the file, where it begins.
  init(_ source: ModelBytes, at offset: UInt64 = 0) {
    self.source = source
    bufferStart = offset
  }

  /// Bytes from the start of the file.
  var offset: UInt64 { bufferStart + UInt64(index) }

  /// Bytes left in the file.
  var remaining: UInt64 { offset < source.size ? source.size - offset : 0 }

  /// - Throws: `truncated` when the file has fewer bytes left.
  func require(_ count: UInt64, for what: @autoclosure () -> String) throws(ModelFileError) {
    guard count <= remaining else {
      throw ModelFileError(
        .truncated,
        "the file ends too early: \(what()) needs \(count) bytes and \(remaining) are left",
        offset: offset)
    }
  }

  /// Sees to it that the next bytes lie in the buffer.
  private mutating func fill(_ count: Int, for what: @autoclosure () -> String)
    throws(ModelFileError)
  {
    if buffer.count - index >= count { return }
    try require(UInt64(count), for: what())
    let start = offset
    let wanted = Int(min(UInt64(max(count, Self.chunk)), remaining))
    buffer = try source.read(start, wanted)
    bufferStart = start
    index = 0
    guard buffer.count >= count else {
      throw ModelFileError(.truncated, "the file became shorter while it was read", offset: start)
    }
  }

  mutating func byte(_ what: @autoclosure () -> String) throws(ModelFileError) -> UInt8 {
    try fill(1, for: what())
    defer { index += 1 }
    return buffer[index]
  }

  mutating func uint16(_ what: @autoclosure () -> String) throws(ModelFileError) -> UInt16 {
    UInt16(truncatingIfNeeded: try little(2, what()))
  }

  mutating func uint32(_ what: @autoclosure () -> String) throws(ModelFileError) -> UInt32 {
    UInt32(truncatingIfNeeded: try little(4, what()))
  }

  mutating func uint64(_ what: @autoclosure () -> String) throws(ModelFileError) -> UInt64 {
    try little(8, what())
  }

  private mutating func little(_ width: Int, _ what: @autoclosure () -> String)
    throws(ModelFileError) -> UInt64
  {
    try fill(width, for: what())
    var value: UInt64 = 0
    var place = index + width
    while place > index {
      place -= 1
      value = value << 8 | UInt64(buffer[place])
    }
    index += width
    return value
  }

  /// A length and that many bytes, as text.
  mutating func string(limit: UInt64, _ what: @autoclosure () -> String) throws(ModelFileError)
    -> String
  {
    let count = Int(try length(limit: limit, what()))
    try fill(count, for: what())
    defer { index += count }
    return String(decoding: buffer[index..<index + count], as: UTF8.self)
  }

  /// A length and that many bytes, as they are.
  mutating func bytes(limit: UInt64, _ what: @autoclosure () -> String) throws(ModelFileError)
    -> [UInt8]
  {
    let count = Int(try length(limit: limit, what()))
    try fill(count, for: what())
    defer { index += count }
    return Array(buffer[index..<index + count])
  }

  /// A length and that many bytes, as the hash and the length of what stands before a zero byte: llama.cpp
  /// reads texts of a vocabulary no further.
  mutating func stringHash(limit: UInt64, _ what: @autoclosure () -> String) throws(ModelFileError)
    -> (hash: UInt64, count: Int)
  {
    let count = Int(try length(limit: limit, what()))
    try fill(count, for: what())
    defer { index += count }
    let text = buffer[index..<index + count].prefix { $0 != 0 }
    return (ByteHash.of(text), text.count)
  }

  /// A length and that many bytes, passed over.
  mutating func skipString(limit: UInt64, _ what: @autoclosure () -> String) throws(ModelFileError)
  {
    let count = try length(limit: limit, what())
    try skip(count, what())
  }

  private mutating func length(limit: UInt64, _ what: @autoclosure () -> String)
    throws(ModelFileError) -> UInt64
  {
    let start = offset
    let count = try uint64(what())
    guard count <= limit else {
      throw ModelFileError(
        .tooLarge, "\(what()) claims \(count) bytes; at most \(limit) are allowed", offset: start)
    }
    try require(count, for: what())
    return count
  }

  mutating func skip(_ count: UInt64, _ what: @autoclosure () -> String) throws(ModelFileError) {
    try require(count, for: what())
    if count <= UInt64(buffer.count - index) {
      index += Int(count)
    } else {
      bufferStart = offset + count
      buffer = []
      index = 0
    }
  }
}

/// FNV-1a over 64 bits: quick and good enough to tell the texts of one vocabulary apart. A clash
/// can be made on purpose, and makes no more than a refused file.
enum ByteHash {
  static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }
}

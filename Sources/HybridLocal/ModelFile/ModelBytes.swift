/// The bytes of a model file, read in pieces wherever they lie.
package struct ModelBytes: Sendable {
  package let size: UInt64
  /// The bytes at an offset: as many as asked for, fewer only at the end of the file.
  package let read: @Sendable (_ offset: UInt64, _ count: Int) throws(ModelFileError) -> [UInt8]

  package init(
    size: UInt64,
    read: @escaping @Sendable (_ offset: UInt64, _ count: Int) throws(ModelFileError) -> [UInt8]
  ) {
    self.size = size
    self.read = read
  }

  /// Bytes in memory.
  package init(_ bytes: [UInt8]) {
    self.init(size: UInt64(bytes.count)) { offset, count in
      guard offset < UInt64(bytes.count) else { return [] }
      return Array(bytes[Int(offset)...].prefix(count))
    }
  }
}

private import HybridLocal

/// Writes GGUF bytes for tests: sound ones by default, false ones where a test says so.
package struct GGUFWriter: Sendable {
  /// A metadata value, or raw bytes after a type number where a test wants nonsense.
  package enum Value: Sendable {
    case uint32(UInt32)
    case int32(Int32)
    case uint64(UInt64)
    case uint16(UInt16)
    case float32(Float)
    case bool(Bool)
    case string(String)
    case strings([String])
    case int32s([Int32])
    case uint32s([UInt32])
    case float32s([Float])
    case raw(type: UInt32, bytes: [UInt8])
  }

  package struct Tensor: Sendable {
    package var name: String
    package var dimensions: [UInt64]
    /// F32.
    package var type: UInt32
    /// Where its data is said to be; nil puts it where it is due.
    package var offset: UInt64?
    /// Bytes of data; nil for what shape and type ask for.
    package var bytes: Int?
    /// The data of an F32 tensor; nil for small numbers that are all the same.
    package var values: [Float]?

    package init(
      name: String, dimensions: [UInt64], type: UInt32 = 0, offset: UInt64? = nil,
      bytes: Int? = nil, values: [Float]? = nil
    ) {
      (self.name, self.dimensions, self.type) = (name, dimensions, type)
      (self.offset, self.bytes, self.values) = (offset, bytes, values)
    }
  }

  package var magic: [UInt8] = Array("GGUF".utf8)
  package var version: UInt32 = 3
  package var keys: [(name: String, value: Value)] = []
  package var tensors: [Tensor] = []
  /// Counts in the header where they shall differ from the truth.
  package var keyCount: UInt64?
  package var tensorCount: UInt64?
  package var alignment = 32

  package init() {}

  /// Replaces the key's value, or adds it.
  package mutating func set(_ name: String, _ value: Value) {
    if let index = keys.firstIndex(where: { $0.name == name }) {
      keys[index].value = value
    } else {
      keys.append((name, value))
    }
  }

  package mutating func remove(_ name: String) {
    keys.removeAll { $0.name == name }
  }

  /// The bytes of the header: everything before the tensor data and its padding.
  package func header() -> [UInt8] {
    var out = magic + Self.little(version)
    out += Self.little(tensorCount ?? UInt64(tensors.count))
    out += Self.little(keyCount ?? UInt64(keys.count))
    for key in keys { out += Self.text(key.name) + Self.value(key.value) }
    var place: UInt64 = 0
    for tensor in tensors {
      out += Self.text(tensor.name) + Self.little(UInt32(tensor.dimensions.count))
      for dimension in tensor.dimensions { out += Self.little(dimension) }
      out += Self.little(tensor.type) + Self.little(tensor.offset ?? place)
      let end = place + UInt64(Self.dataBytes(tensor))
      place = (end + UInt64(alignment) - 1) / UInt64(alignment) * UInt64(alignment)
    }
    return out
  }

  /// The whole file. All weights are small: 0x3A3A3A3A is 0.0007 as a 32-bit number.
  package func file() -> [UInt8] {
    var out = header()
    for tensor in tensors {
      let padding = (alignment - out.count % alignment) % alignment
      out += [UInt8](repeating: 0, count: padding)
      out +=
        tensor.values?.flatMap { Self.little($0.bitPattern) }
        ?? [UInt8](repeating: 0x3A, count: Self.dataBytes(tensor))
    }
    return out
  }

  private static func dataBytes(_ tensor: Tensor) -> Int {
    if let bytes = tensor.bytes { return bytes }
    guard let type = GGMLType(number: tensor.type) else { return 0 }
    let elements = tensor.dimensions.reduce(1, &*)
    return Int(clamping: min(elements / type.blockSize &* type.blockBytes, 1 << 20))
  }

  package static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  package static func text(_ text: String) -> [UInt8] {
    little(UInt64(text.utf8.count)) + Array(text.utf8)
  }

  private static func array(_ type: UInt32, _ count: Int, _ bytes: [UInt8]) -> [UInt8] {
    little(UInt32(9)) + little(type) + little(UInt64(count)) + bytes
  }

  private static func value(_ value: Value) -> [UInt8] {
    switch value {
    case .uint16(let number): little(UInt32(2)) + little(number)
    case .uint32(let number): little(UInt32(4)) + little(number)
    case .int32(let number): little(UInt32(5)) + little(number)
    case .float32(let number): little(UInt32(6)) + little(number.bitPattern)
    case .bool(let flag): little(UInt32(7)) + [flag ? 1 : 0]
    case .string(let string): little(UInt32(8)) + text(string)
    case .uint64(let number): little(UInt32(10)) + little(number)
    case .strings(let list): array(8, list.count, list.flatMap(text))
    case .int32s(let list): array(5, list.count, list.flatMap { little($0) })
    case .uint32s(let list): array(4, list.count, list.flatMap { little($0) })
    case .float32s(let list): array(6, list.count, list.flatMap { little($0.bitPattern) })
    case .raw(let type, let bytes): little(type) + bytes
    }
  }
}

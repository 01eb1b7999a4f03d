/// The types of GGUF metadata, by their numbers in the file.
package enum GGUFType: UInt32, Sendable, Hashable {
  case uint8, int8, uint16, int16, uint32, int32, float32, bool, string, array, uint64, int64
  case float64

  /// Bytes of one value; nil for strings and arrays, which tell their own length.
  var width: Int? {
    switch self {
    case .uint8, .int8, .bool: 1
    case .uint16, .int16: 2
    case .uint32, .int32, .float32: 4
    case .uint64, .int64, .float64: 8
    case .string, .array: nil
    }
  }

  var isInteger: Bool {
    switch self {
    case .uint8, .int8, .uint16, .int16, .uint32, .int32, .uint64, .int64: true
    case .float32, .float64, .bool, .string, .array: false
    }
  }
}

/// One metadata value, with where it stands.
package struct GGUFValue: Sendable, Hashable {
  package enum Payload: Sendable, Hashable {
    case integer(Int64)
    /// Above Int64.max.
    case hugeInteger(UInt64)
    case real(Double)
    case flag(Bool)
    /// nil where the text is too long to keep (over 64 KiB, tokenizer tables).
    case text(String?)
    case array(GGUFArray)
  }

  package let type: GGUFType
  package let payload: Payload
  /// Bytes from the start of the file to the value.
  package let offset: UInt64
}

/// An array's shape. Its values are kept only when they are numbers and few.
package struct GGUFArray: Sendable, Hashable {
  package let element: GGUFType
  package let count: Int
  /// The values of up to 1,024 integers or flags; nil otherwise.
  package let integers: [Int64]?
}

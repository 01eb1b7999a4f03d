internal import HybridCore

/// Text from a descriptor, whole.
struct TextInput: Sendable {
  /// What messages call it.
  let name: String
  let descriptor: Int32

  /// A prompt beyond this is a mistake (`< /dev/zero`), and would only fill the memory.
  static let limit = 64 << 20

  static let standard = TextInput(name: "stdin", descriptor: StandardStream.input.rawValue)

  /// - Throws: `invalidText` for bytes that are not UTF-8, with the first one's place; `invalidFile`
  ///   for what cannot be read or is too long.
  func readAll() throws(HybridError) -> String {
    let reader = DescriptorReader(descriptor: descriptor)
    var bytes: [UInt8] = []
    while true {
      let piece: [UInt8]
      do throws(SystemFailure) {
        piece = try reader.read(upTo: 1 << 16)
      } catch {
        throw HybridError(
          .invalidFile, "cannot read \(name): \(error)", nextStep: "Give text on \(name)")
      }
      if piece.isEmpty { break }
      bytes += piece
      if bytes.count > Self.limit {
        throw HybridError(
          .invalidFile, "\(name) is longer than \(Self.limit) bytes",
          nextStep: "No model takes that much at once: give a part of it",
          details: ["limit": .int(Self.limit)])
      }
    }
    return try Self.decode(bytes, name: name)
  }

  /// - Throws: `invalidText` with the byte offset of the first byte that is not UTF-8, from 0.
  static func decode(_ bytes: some Collection<UInt8>, name: String) throws(HybridError) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    let offset = bytes.firstInvalidUTF8
    throw HybridError(
      .invalidText, "\(name) is not UTF-8: byte \(offset) belongs to no character",
      nextStep: "Convert it first, for example with iconv -t UTF-8",
      details: ["input": .string(name), "byte": .int(offset)])
  }
}

extension ErrorCode {
  /// Text that is not UTF-8.
  static let invalidText = ErrorCode(rawValue: "invalidText")
}

extension Collection<UInt8> {
  /// The offset of the first byte that does not continue or begin a character of UTF-8; the count
  /// where all do.
  fileprivate var firstInvalidUTF8: Int {
    var decoder = UTF8()
    var source = makeIterator()
    var offset = 0
    while true {
      switch decoder.decode(&source) {
      case .scalarValue(let scalar): offset += UTF8.width(scalar)
      case .emptyInput, .error: return offset
      }
    }
  }
}

/// What llama.cpp's tokenizers take for granted of the vocabulary's lists, where it takes the process with
/// it if that is not so. The lists are read in the file itself, for a header keeps none.
enum TokenizerLists {
  /// - Throws: `badVocabulary`.
  static func check(
    _ source: ModelBytes, _ values: [String: GGUFValue]
  ) throws(ModelFileError) {
    guard case .text(let model?)? = values["tokenizer.ggml.model"]?.payload else { return }
    switch model {
    case "bert": try refuseByteTokens(source, values["tokenizer.ggml.token_type"])
    case "rwkv": try requireSingleBytes(source, values["tokenizer.ggml.tokens"])
    default: return
    }
  }

  /// WordPiece has no tokens for single bytes: asked for one's byte, llama.cpp aborts.
  private static func refuseByteTokens(
    _ source: ModelBytes, _ value: GGUFValue?
  ) throws(ModelFileError) {
    guard let value, case .array(let types) = value.payload else { return }
    // Behind the elements' type and their number.
    var cursor = GGUFCursor(source, at: value.offset + 12)
    for number in 0..<types.count {
      if try cursor.uint32("the type of a token") != 6 { continue }
      throw ModelFileError(
        .badVocabulary, "token \(number) stands for a byte, which this kind of tokenizer has not",
        offset: value.offset, key: "tokenizer.ggml.token_type")
    }
  }

  /// RWKV's tokenizer goes on from the longest token that it found; where none begins with what it read,
  /// that is the beginning of the text, for ever. So each byte that begins a token is one itself.
  private static func requireSingleBytes(
    _ source: ModelBytes, _ value: GGUFValue?
  ) throws(ModelFileError) {
    guard let value, case .array(let tokens) = value.payload else { return }
    var first: Set<UInt8> = []
    var single: Set<UInt8> = []
    var cursor = GGUFCursor(source, at: value.offset + 12)
    for number in 0..<tokens.count {
      let bytes = unescaped(try cursor.bytes(limit: 1 << 20, "token \(number)"))
      guard let byte = bytes.first else { continue }
      first.insert(byte)
      if bytes.count == 1 { single.insert(byte) }
    }
    if let byte = first.subtracting(single).min() {
      throw ModelFileError(
        .badVocabulary, "tokens begin with the byte \(byte), and no token is that byte alone",
        offset: value.offset, key: "tokenizer.ggml.tokens")
    }
  }

  /// The bytes that a token of RWKV's is written for: `\xNN`, `\t`, `\n`, `\r`, and `\` before others.
  private static func unescaped(_ text: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var isEscaped = false
    var digits = 0
    var value: UInt8 = 0
    for byte in text {
      if digits > 0 {
        // llama.cpp takes whatever stands there for a digit.
        let digit = byte >= UInt8(ascii: "a") ? byte &- UInt8(ascii: "a") &+ 10 : byte &- 0x30
        value = value << 4 &+ digit
        digits -= 1
        if digits == 0 { bytes.append(value) }
      } else if isEscaped {
        isEscaped = false
        switch byte {
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "x"): (digits, value) = (2, 0)
        default: bytes.append(byte)
        }
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}

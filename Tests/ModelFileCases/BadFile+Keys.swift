private import HybridLocal

extension BadFile {
  /// Keys and their values.
  static let keys: [BadFile] = [
    BadFile("a key without a name", .keyName, .badKey) { $0.keys.append(("", .bool(true))) },
    BadFile("a key as long as the file", .keyName, .tooLarge) {
      $0.keys.append((String(repeating: "k", count: 70_000), .bool(true)))
    },
    BadFile("a key twice", .duplicateKey, .duplicateKey) {
      $0.keys.append(("general.name", .string("again")))
    },
    BadFile("an unknown type", .valueType, .wrongType) {
      $0.set("x", .raw(type: 13, bytes: [0, 0, 0, 0]))
    },
    BadFile("an array of unknown type", .arrayType, .wrongType) {
      $0.set(
        "x", .raw(type: 9, bytes: GGUFWriter.little(UInt32(99)) + GGUFWriter.little(UInt64(1))))
    },
    BadFile("an array of arrays", .arrayType, .wrongType) {
      $0.set("x", .raw(type: 9, bytes: GGUFWriter.little(UInt32(9)) + GGUFWriter.little(UInt64(1))))
    },
    BadFile("an array longer than the file", .arrayLength, .truncated) {
      $0.set(
        "x", .raw(type: 9, bytes: GGUFWriter.little(UInt32(4)) + GGUFWriter.little(UInt64(1 << 29)))
      )
    },
    BadFile("an array without end", .arrayLength, .tooLarge) {
      $0.set(
        "x", .raw(type: 9, bytes: GGUFWriter.little(UInt32(4)) + GGUFWriter.little(UInt64.max)))
    },
    BadFile("texts without end", .arrayLength, .tooLarge) {
      $0.set(
        "x", .raw(type: 9, bytes: GGUFWriter.little(UInt32(8)) + GGUFWriter.little(UInt64.max / 8)))
    },
    BadFile("a text longer than the file", .textLength, .truncated) {
      $0.set("tokenizer.chat_template", .raw(type: 8, bytes: GGUFWriter.little(UInt64(4_000_000))))
    },
    BadFile("a text without end", .textLength, .tooLarge) {
      $0.set("general.name", .raw(type: 8, bytes: GGUFWriter.little(UInt64.max)))
    },
    BadFile("alignment 0", .alignment, .badValue) { $0.set("general.alignment", .uint32(0)) },
    BadFile("alignment 48", .alignment, .badValue) { $0.set("general.alignment", .uint32(48)) },
    BadFile("alignment 8", .alignment, .badValue) { $0.set("general.alignment", .uint32(8)) },
    BadFile("alignment 2 MiB", .alignment, .badValue) {
      $0.set("general.alignment", .uint32(2 << 20))
    },
    BadFile("alignment as text", .alignment, .wrongType) {
      $0.set("general.alignment", .string("32"))
    },
    BadFile("alignment as 64 bits", .alignment, .wrongType) {
      $0.set("general.alignment", .uint64(32))
    },
    BadFile("a number cut by the end of the file", .valueType, .truncated) {
      $0.tensors = []
      $0.keys.append(("x", .raw(type: 10, bytes: [1, 2, 3])))
    },
    BadFile("a type of value without end", .valueType, .wrongType) {
      $0.set("x", .raw(type: .max, bytes: []))
    },
    BadFile("a number where a text is due", .valueType, .wrongType) {
      $0.set("general.name", .uint32(1))
    },
    BadFile("an array of nothing that is no array", .arrayLength, .wrongType) {
      $0.set("llama.block_count", .uint32s([]))
    },
    BadFile("alignment 2 GiB", .alignment, .badValue) {
      $0.set("general.alignment", .uint32(1 << 31))
    },
  ]
}

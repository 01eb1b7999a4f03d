/// Tells a GGUF file from what people point at by mistake.
enum FileSignature {
  /// - Throws: `notGGUF` saying what the file looks like, or `truncated` for a beginning of one.
  static func check(_ source: ModelBytes) throws(ModelFileError) {
    guard source.size > 0 else { throw ModelFileError(.empty, "the file is empty") }
    let head = try source.read(0, 512)
    let magic = Array("GGUF".utf8)
    if head.starts(with: magic) { return }
    if head.count < 4, magic.starts(with: head) {
      throw ModelFileError(
        .truncated, "the file has only \(head.count) bytes", offset: UInt64(head.count))
    }
    let likeness = likeness(head).map { "; it looks like \($0)" } ?? ""
    throw ModelFileError(.notGGUF, "this is not a GGUF file\(likeness)", offset: 0)
  }

  private static func likeness(_ head: [UInt8]) -> String? {
    for (bytes, name) in signatures where head.starts(with: bytes) { return name }
    if head.dropFirst(257).starts(with: Array("ustar".utf8)) { return "a tar archive" }
    // safetensors: the header's length in 8 bytes, then the header, which is JSON.
    if head.count > 8, head[8] == UInt8(ascii: "{"), head[5...7].allSatisfy({ $0 == 0 }) {
      return "a safetensors file"
    }
    if head.allSatisfy({ $0 == 0 }) { return "the empty space of an interrupted download" }
    let text = String(decoding: head.prefix(64), as: UTF8.self).lowercased().trimmingBlanks
    if text.hasPrefix("<!doctype") || text.hasPrefix("<html") || text.hasPrefix("<?xml") {
      return "a web page, perhaps a download that was refused"
    }
    if text.hasPrefix("{") || text.hasPrefix("[") { return "a JSON text" }
    return nil
  }

  private static let signatures: [([UInt8], String)] = [
    (Array("version https://git-lfs".utf8), "a Git LFS pointer: the file itself was not fetched"),
    ([0x50, 0x4B, 0x03, 0x04], "a zip archive, such as a PyTorch checkpoint"),
    ([0x80, 0x02], "a pickled PyTorch checkpoint"),
    (Array("tjgg".utf8), "an old GGJT file of llama.cpp"),
    (Array("fmgg".utf8), "an old GGMF file of llama.cpp"),
    (Array("lmgg".utf8), "an old GGML file of llama.cpp"),
    ([0x1F, 0x8B], "a gzip archive"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "an xz archive"),
    ([0x28, 0xB5, 0x2F, 0xFD], "a zstd archive"),
    (Array("BZh".utf8), "a bzip2 archive"),
    (Array("7z".utf8) + [0xBC, 0xAF], "a 7-Zip archive"),
    ([0x7F] + Array("ELF".utf8), "a program"),
  ]
}

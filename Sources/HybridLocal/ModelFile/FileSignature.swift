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
    let likeness = FileLikeness(head)
    throw ModelFileError(
      .notGGUF, "this is not a GGUF file" + (likeness.map { "; it looks like \($0.name)" } ?? ""),
      offset: 0, remedy: likeness?.remedy)
  }
}

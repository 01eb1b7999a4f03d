private import HybridLocal

extension BadFile {
  /// Files of another kind, and beginnings of one.
  static let notModels: [BadFile] = [
    BadFile("nothing", .nothingInIt, .empty) { [] },
    BadFile("the first two letters", .cutHeader, .truncated) { bytes("GG") },
    BadFile("the magic number alone", .cutHeader, .truncated) { bytes("GGUF") },
    BadFile("a header cut in the counts", .cutHeader, .truncated) {
      Array(GGUFWriter.tinyModel().file().prefix(20))
    },
    BadFile("text", .anotherFormat, .notGGUF) { bytes("Once upon a time") },
    BadFile("a Git LFS pointer", .anotherFormat, .notGGUF) {
      bytes("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    },
    BadFile("a web page", .anotherFormat, .notGGUF) { bytes("\n<!DOCTYPE html><html>") },
    BadFile("a zip archive", .anotherFormat, .notGGUF) {
      [0x50, 0x4B, 0x03, 0x04] + Array(repeating: 7, count: 60)
    },
    BadFile("a safetensors file", .anotherFormat, .notGGUF) {
      GGUFWriter.little(UInt64(20_000)) + bytes("{\"model.embed\":{")
    },
    BadFile("zeros", .anotherFormat, .notGGUF) { Array(repeating: 0, count: 4_096) },
    BadFile("an ELF program", .anotherFormat, .notGGUF) { [0x7F] + bytes("ELF") + [2, 1, 1] },
    BadFile("a header cut in a key", .cutHeader, .truncated) {
      Array(GGUFWriter.tinyModel().file().prefix(40))
    },
    BadFile("a header cut in the tensors", .cutHeader, .truncated) {
      Array(GGUFWriter.tinyModel().header().dropLast(40))
    },
  ]

  static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}

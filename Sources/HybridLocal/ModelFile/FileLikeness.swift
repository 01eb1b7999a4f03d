import HybridCore

/// What a file that is no model looks like by its first bytes, and what helps then.
struct FileLikeness: Sendable, Hashable {
  /// With its article.
  let name: String
  /// A sentence without its full stop.
  let remedy: String

  private init(_ name: String, _ remedy: String) {
    (self.name, self.remedy) = (name, remedy)
  }

  /// - Parameter head: the first 512 bytes, or the whole of a shorter file.
  /// - Returns: nil for what is not known.
  init?(_ head: [UInt8]) {
    guard
      let found = Self.signatures.first(where: { head.starts(with: $0.bytes) })?.likeness
        ?? Self.byPlace(head) ?? Self.byText(head)
    else { return nil }
    self = found
  }

  private static func byPlace(_ head: [UInt8]) -> FileLikeness? {
    if head.dropFirst(257).starts(with: Array("ustar".utf8)) { return tar }
    // safetensors: the header's length in 8 bytes, then the header, which is JSON.
    if head.count > 8, head[8] == UInt8(ascii: "{"), head[5...7].allSatisfy({ $0 == 0 }) {
      return FileLikeness("a safetensors file", convert)
    }
    if head.allSatisfy({ $0 == 0 }) {
      return FileLikeness("the empty space of an interrupted download", again)
    }
    return nil
  }

  private static func byText(_ head: [UInt8]) -> FileLikeness? {
    // Of binary data so long without a control character there is hardly any.
    guard head.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0C, 0x0D].contains($0) })
    else { return nil }
    let marked = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
    let text = String(decoding: marked.prefix(64), as: UTF8.self).lowercased().trimmingBlanks
    if ["<!doctype", "<html", "<?xml", "<head", "<body", "<!--"].contains(where: text.hasPrefix) {
      return FileLikeness(
        "a web page, perhaps a download that was refused",
        "Download the file again by its direct address, signed in where its publisher asks for that"
      )
    }
    if text.hasPrefix("{") || text.hasPrefix("[") {
      return FileLikeness(
        "a JSON text",
        "Look into it: where it is a server's refusal, download the .gguf file again as it says; a "
          + "model's index or settings are no model")
    }
    return FileLikeness(
      "a plain text",
      "Look into it: it may say why a download was refused, or where the .gguf file is")
  }

  private static let again =
    "Download the file again and compare its size or SHA-256 with the publisher's"
  private static let convert =
    "Get the model as a .gguf file, or convert it with llama.cpp's `convert_hf_to_gguf.py`"

  private static func packed(_ name: String, _ command: String) -> FileLikeness {
    FileLikeness(name, "Unpack it (`\(command)`) and name the .gguf file in it")
  }

  private static func old(_ format: String) -> FileLikeness {
    FileLikeness(
      "an old \(format) file of llama.cpp",
      "Get the model as a .gguf file: this format was given up")
  }

  private static let tar = packed("a tar archive", "tar -xf")

  private static let signatures: [(bytes: [UInt8], likeness: FileLikeness)] = [
    (
      Array("version https://git-lfs".utf8),
      FileLikeness(
        "a Git LFS pointer: the file itself was not fetched",
        "Fetch it with `git lfs pull` in its repository, or download the file itself")
    ),
    (
      [0x50, 0x4B, 0x03, 0x04],
      FileLikeness(
        "a zip archive, such as a PyTorch checkpoint",
        "Unpack it (`unzip`) where a .gguf file is in it; a PyTorch checkpoint is to be converted "
          + "with llama.cpp's `convert_hf_to_gguf.py`")
    ),
    ([0x80, 0x02], FileLikeness("a pickled PyTorch checkpoint", convert)),
    (Array("tjgg".utf8), old("GGJT")),
    (Array("fmgg".utf8), old("GGMF")),
    (Array("lmgg".utf8), old("GGML")),
    ([0x1F, 0x8B], packed("a gzip archive", "gunzip")),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], packed("an xz archive", "unxz")),
    ([0x28, 0xB5, 0x2F, 0xFD], packed("a zstd archive", "zstd -d")),
    (Array("BZh".utf8), packed("a bzip2 archive", "bunzip2")),
    (Array("7z".utf8) + [0xBC, 0xAF], packed("a 7-Zip archive", "7z x")),
    (
      [0x7F] + Array("ELF".utf8),
      FileLikeness("a program", "Name the .gguf file, not a program that runs it")
    ),
  ]
}

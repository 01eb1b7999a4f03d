/// The one place that knows how model files are named, and which names a model answers to.
///
///     SmolLM2-135M-Instruct.Q4_1.gguf   stem SmolLM2-135M-Instruct.Q4_1, base SmolLM2-135M-Instruct
///     qwen3-0.6b-UD-Q4_K_M.gguf         stem qwen3-0.6b-UD-Q4_K_M,       base qwen3-0.6b
///     gpt-oss-20b-mxfp4.gguf            stem gpt-oss-20b-mxfp4,          base gpt-oss-20b
package enum ModelName {
  /// The file's name without its folders and `.gguf`, in any case.
  ///
  /// No other ending counts as one: in `Qwen2.5-7B` the dot is part of the name.
  package static func stem(ofPath path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return file.lowercased().hasSuffix(".gguf") ? String(file.dropLast(5)) : file
  }

  /// The stem without the format of the weights that ends it; the stem itself where it ends in none,
  /// or is nothing else.
  package static func base(ofStem stem: String) -> String {
    let places = stem.indices.dropFirst().filter { ".-_@".contains(stem[$0]) }
    for place in places {
      // The first place from the left takes the whole suffix: `_Q4_K_M`, not only `_M`.
      if isFormat(stem[stem.index(after: place)...].uppercased()) { return String(stem[..<place]) }
    }
    return stem
  }

  /// The number of parts that a name such as `big-00001-of-00003.gguf` tells; nil for whole files.
  package static func partCount(ofPath path: String) -> Int? { parts(ofPath: path)?.count }

  /// Which part it is, from 1; nil for whole files.
  package static func partNumber(ofPath path: String) -> Int? { parts(ofPath: path)?.number }

  private static func parts(ofPath path: String) -> (number: Int, count: Int)? {
    let pieces = stem(ofPath: path).split(separator: "-", omittingEmptySubsequences: false)
    guard pieces.count >= 4, pieces[pieces.count - 2] == "of" else { return nil }
    let texts = (pieces[pieces.count - 3], pieces[pieces.count - 1])
    guard texts.0.count == 5, texts.1.count == 5, let number = Int(texts.0),
      let count = Int(texts.1)
    else { return nil }
    return (number, count)
  }

  /// - Parameter text: in upper case: `Q4_K_M`, `IQ4_NL`, `BF16`, `UD-Q4_K_XL`, `MXFP4_MOE`.
  private static func isFormat(_ text: String) -> Bool {
    // Makers of "dynamic" formats put their mark before the format.
    let mark = ["UD-", "I1-"].first { text.hasPrefix($0) }
    let parts = text.dropFirst(mark?.count ?? 0).split(
      separator: "_", omittingEmptySubsequences: false)
    guard let first = parts.first else { return false }
    let family = first.prefix { $0.isLetter }
    let width = first.dropFirst(family.count)
    switch family {
    case "Q", "IQ", "TQ":
      return width.count == 1 && ("1"..."8").contains(width)
        && parts.dropFirst().allSatisfy(isVariant)
    case "F", "BF", "FP": return parts.count == 1 && ["8", "16", "32", "64"].contains(width)
    case "MXFP", "NVFP": return width == "4" && parts.dropFirst().allSatisfy { $0 == "MOE" }
    default: return false
    }
  }

  private static func isVariant(_ part: Substring) -> Bool {
    ["K", "S", "M", "L", "XS", "XXS", "XL", "NL", "P"].contains(part)
      || (!part.isEmpty && part.allSatisfy { ("0"..."9").contains($0) })
  }
}

extension LocalModelInfo {
  /// True where `name` means this model, ignoring case: its path, its file's name, its name, or its
  /// name without the format of the weights.
  package func answers(to name: String) -> Bool {
    let asked = name.lowercased()
    return [path, self.name + ".gguf", self.name, ModelName.base(ofStem: self.name)]
      .contains { $0.lowercased() == asked }
  }
}

/// The one place that knows how model files are named.
///
///     SmolLM2-135M-Instruct.Q4_1.gguf   stem SmolLM2-135M-Instruct.Q4_1, base SmolLM2-135M-Instruct
///     qwen3-0.6b-UD-Q4_K_M.gguf         stem qwen3-0.6b-UD-Q4_K_M,       base qwen3-0.6b
///     gpt-oss-20b-mxfp4.gguf            stem gpt-oss-20b-mxfp4,          base gpt-oss-20b
package enum ModelName {
  /// The file's name without folders and `.gguf`.
  package static func stem(ofFile path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.lowercased().hasSuffix(".gguf") ? String(name.dropLast(5)) : name
  }

  /// The stem without the format of the weights at its end; the stem itself where there is none.
  package static func base(ofStem stem: String) -> String {
    guard let cut = stem.lastIndex(where: { $0 == "." || $0 == "-" || $0 == "@" }),
      cut > stem.startIndex, isFormat(stem[stem.index(after: cut)...])
    else { return stem }
    let base = stem[..<cut]
    // "Dynamic" formats carry their maker's mark before the format.
    let marks = ["-ud", ".ud", "-i1", ".i1"]
    let mark = marks.first { base.lowercased().hasSuffix($0) }
    let bare = base.dropLast(mark?.count ?? 0)
    return bare.isEmpty ? stem : String(bare)
  }

  /// Whether a request's model name means this file, ignoring case: its path, its name, its stem,
  /// its stem without the format, or one of the names that the policy lets it stand in for.
  package static func matches(
    request: String, file path: String, standIns: some Sequence<String> = []
  ) -> Bool {
    if request == path { return true }
    let wanted = request.lowercased()
    let stem = stem(ofFile: path).lowercased()
    return wanted == stem || wanted == stem + ".gguf" || wanted == base(ofStem: stem)
      || standIns.contains { $0.lowercased() == wanted }
  }

  /// The number of parts that a name such as `big-00001-of-00003.gguf` tells; nil for whole files.
  package static func partCount(ofFile path: String) -> Int? { parts(ofFile: path)?.count }

  /// Which part it is, from 1; nil for whole files.
  package static func partNumber(ofFile path: String) -> Int? { parts(ofFile: path)?.number }

  private static func parts(ofFile path: String) -> (number: Int, count: Int)? {
    let pieces = stem(ofFile: path).split(separator: "-", omittingEmptySubsequences: false)
    guard pieces.count >= 4, pieces[pieces.count - 2] == "of" else { return nil }
    let texts = (pieces[pieces.count - 3], pieces[pieces.count - 1])
    guard texts.0.count == 5, texts.1.count == 5, let number = Int(texts.0),
      let count = Int(texts.1)
    else { return nil }
    return (number, count)
  }

  /// `Q4_K_M`, `IQ2_XXS`, `TQ1_0`, `F16`, `BF16`, `mxfp4`, `Q8`, …
  private static func isFormat(_ text: Substring) -> Bool {
    let upper = text.uppercased()
    if ["F16", "F32", "BF16", "FP16", "FP32", "MXFP4", "NVFP4", "MXFP4_MOE"].contains(upper) {
      return true
    }
    guard let start = ["IQ", "TQ", "Q"].first(where: { upper.hasPrefix($0) }) else { return false }
    let rest = upper.dropFirst(start.count).split(
      separator: "_", omittingEmptySubsequences: false)
    guard let bits = rest.first, bits.count == 1, bits.allSatisfy({ ("1"..."8").contains($0) })
    else { return false }
    let parts: Set<Substring> = ["0", "1", "K", "S", "M", "L", "XS", "XXS", "XL", "NL", "P"]
    return rest.dropFirst().allSatisfy { parts.contains($0) }
  }
}

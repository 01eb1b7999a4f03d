/// How a local model's file is named, and which names it answers to.
package enum ModelName {
  /// The file's name without its folders and its last extension.
  ///
  /// `models/SmolLM2.Q4_1.gguf` gives `SmolLM2.Q4_1`. Only `.gguf` counts as an extension, in any
  /// case: in `Qwen2.5-7B` the dot is part of the name.
  package static func stem(ofPath path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return file.lowercased().hasSuffix(".gguf") ? String(file.dropLast(5)) : file
  }

  /// The stem without the quantisation that ends it: `SmolLM2.Q4_1` gives `SmolLM2`.
  ///
  /// The stem itself where it ends in none, or is nothing else.
  package static func withoutQuantisation(_ stem: String) -> String {
    let places = stem.indices.dropFirst().filter { ".-_".contains(stem[$0]) }
    for place in places {
      // The first place from the left takes the whole suffix: `_Q4_K_M`, not only `_M`.
      let suffix = stem[stem.index(after: place)...].uppercased()
      if isQuantisation(suffix) { return String(stem[..<place]) }
    }
    return stem
  }

  /// - Parameter text: in upper case: `Q4_K_M`, `IQ4_NL`, `BF16`, `UD-Q4_K_XL`, `MXFP4_MOE`.
  private static func isQuantisation(_ text: String) -> Bool {
    var text = Substring(text)
    if text.hasPrefix("UD-") { text = text.dropFirst(3) }
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    guard let first = parts.first else { return false }
    let family = first.prefix { $0.isLetter }
    let width = first.dropFirst(family.count)
    guard !width.isEmpty, width.allSatisfy(isDigit) else { return false }
    switch family {
    case "Q", "IQ", "TQ": return parts.dropFirst().allSatisfy(isVariant)
    case "F", "BF", "FP": return parts.count == 1 && ["16", "32", "64", "8"].contains(width)
    case "MXFP", "NVFP": return parts.dropFirst().allSatisfy { $0 == "MOE" }
    default: return false
    }
  }

  private static func isVariant(_ part: Substring) -> Bool {
    ["K", "S", "M", "L", "XS", "XXS", "XL", "NL"].contains(part)
      || (!part.isEmpty && part.allSatisfy(isDigit))
  }

  private static func isDigit(_ character: Character) -> Bool {
    ("0"..."9").contains(character)
  }
}

extension LocalModelInfo {
  /// True where `name` means this model: its name, its name without the quantisation, or its path,
  /// ignoring case.
  package func answers(to name: String) -> Bool {
    let asked = name.lowercased()
    return [self.name, ModelName.withoutQuantisation(self.name), path]
      .contains { $0.lowercased() == asked }
  }
}

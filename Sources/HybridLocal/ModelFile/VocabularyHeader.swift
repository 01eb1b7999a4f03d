/// What the header says of the tokenizer.
package struct VocabularyHeader: Sendable, Hashable {
  /// The tokenizer's kind: `gpt2` (byte-pair encoding), `llama` (SentencePiece), `bert`, …
  package let model: String
  /// How text is cut before byte-pair encoding, such as `smollm`.
  package let preTokenizer: String?
  /// Tokens.
  package let size: Int
  /// Merges of byte-pair encoding.
  package let mergeCount: Int
  /// Special tokens that the file names; nil where it names none within the vocabulary.
  package let beginningOfText: Int?
  package let endOfText: Int?
  /// The token for text that no other stands for; nil where the file names none and its kind has none.
  package let unknown: Int?
  /// Whether the tokenizer itself puts those around a text; nil leaves it to its kind.
  package let addsBeginningOfText: Bool?
  package let addsEndOfText: Bool?
  /// The model's own chat template.
  package let chatTemplate: String?
  /// Special tokens that lie outside the vocabulary. llama.cpp leaves them out with a warning, and
  /// so do good many published files work.
  package let ignoredTokens: [String]

  private static let specialTokens = [
    "bos", "eos", "eot", "eom", "unknown", "seperator", "padding", "cls", "mask", "fim_pre",
    "fim_suf", "fim_mid", "fim_pad", "fim_rep", "fim_sep", "prefix", "suffix", "middle",
  ]

  /// - Throws: ``ModelFileError`` where llama.cpp would refuse the vocabulary, or read past an array.
  init(_ keys: GGUFKeys) throws(ModelFileError) {
    let prefix = "tokenizer.ggml."
    guard let model = try keys.text(prefix + "model") else { throw keys.missing(prefix + "model") }
    self.model = model
    preTokenizer = try keys.text(prefix + "pre")
    chatTemplate = try keys.text("tokenizer.chat_template")

    guard model != "none", model != "no_vocab" else {
      throw ModelFileError(.notAChatModel, "the file has no vocabulary", key: prefix + "model")
    }
    guard let tokens = try keys.array(prefix + "tokens") else {
      throw keys.missing(prefix + "tokens")
    }
    guard tokens.element == .string, tokens.count > 0 else {
      throw ModelFileError(
        .badVocabulary, "the vocabulary is no list of texts, or is empty", key: prefix + "tokens")
    }
    size = tokens.count
    try Self.check(keys, prefix + "scores", [.float32, .int32], atLeast: size)
    try Self.check(keys, prefix + "token_type", [.int32], atLeast: size)
    try Self.check(keys, prefix + "suppress_tokens", [.int32], atLeast: 0)
    try Self.check(keys, prefix + "merges", [.string], atLeast: 0)
    try Self.check(keys, prefix + "precompiled_charsmap", [.uint8, .int8], atLeast: 4)
    mergeCount = try keys.array(prefix + "merges")?.count ?? 0
    if ["gpt2", "gemma4", "hybriddna", "whitespace"].contains(model), preTokenizer != "kimi-k2",
      try keys.array(prefix + "merges") == nil
    {
      throw keys.missing(prefix + "merges")
    }

    var ids: [String: Int] = [:]
    var ignored: [String] = []
    for name in Self.specialTokens {
      let key = "\(prefix)\(name)_token_id"
      guard let id = try keys.count(key) else { continue }
      if id < size { ids[name] = id } else { ignored.append(key) }
    }
    beginningOfText = ids["bos"]
    endOfText = ids["eos"]
    // llama.cpp takes this one where a file of this kind names none.
    unknown = ids["unknown"] ?? (model == "bert" && size > 100 ? 100 : nil)
    ignoredTokens = ignored
    addsBeginningOfText = try keys.flag(prefix + "add_bos_token")
    addsEndOfText = try keys.flag(prefix + "add_eos_token")
    try checkAddedTokens(keys, prefix)
  }

  private static func check(
    _ keys: GGUFKeys, _ key: String, _ types: [GGUFType], atLeast count: Int
  ) throws(ModelFileError) {
    guard let array = try keys.array(key) else { return }
    guard types.contains(array.element) else {
      throw ModelFileError(
        .wrongType, "\(key) holds values of the wrong type", offset: keys.values[key]?.offset,
        key: key)
    }
    guard array.count >= count else {
      throw ModelFileError(
        .badVocabulary, "\(key) has \(array.count) values where \(count) are due",
        offset: keys.values[key]?.offset, key: key)
    }
  }

  /// llama.cpp asserts that the tokens it puts around a text exist.
  private func checkAddedTokens(_ keys: GGUFKeys, _ prefix: String) throws(ModelFileError) {
    // What each kind of tokenizer assumes where the file names no token.
    let defaults: [String: (bos: Int?, eos: Int?)] = [
      "llama": (1, 2), "gpt2": (11, 11), "hybriddna": (11, 11), "whitespace": (11, 11),
      "t5": (nil, 1), "bert": (101, nil), "plamo2": (1, 2),
    ]
    let assumed = defaults[model] ?? (nil, nil)
    func exists(_ id: Int?, _ other: Int?) -> Bool {
      id != nil || (other.map { $0 < size } ?? false)
    }
    if addsBeginningOfText == true || (model == "llama" && addsBeginningOfText == nil),
      !exists(beginningOfText, assumed.bos)
    {
      throw keys.bad(
        prefix + "add_bos_token",
        "the vocabulary has no token to begin a text, and one is to be added")
    }
    if addsEndOfText == true, !exists(endOfText, assumed.eos) {
      throw keys.bad(
        prefix + "add_eos_token",
        "the vocabulary has no token to end a text, and one is to be added")
    }
  }
}

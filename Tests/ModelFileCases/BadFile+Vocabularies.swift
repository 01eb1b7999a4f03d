private import HybridLocal

extension BadFile {
  /// Tokenizers.
  static let vocabularies: [BadFile] = [
    BadFile("no tokenizer", .tokenizer, .missingKey) { $0.remove("tokenizer.ggml.model") },
    BadFile("no tokens", .tokens, .missingKey) { $0.remove("tokenizer.ggml.tokens") },
    BadFile("an empty vocabulary", .tokens, .badVocabulary) {
      $0.set("tokenizer.ggml.tokens", .strings([]))
    },
    BadFile("tokens that are numbers", .tokens, .badVocabulary) {
      $0.set("tokenizer.ggml.tokens", .int32s([1, 2]))
    },
    BadFile("tokens that are a text", .tokens, .wrongType) {
      $0.set("tokenizer.ggml.tokens", .string("a b"))
    },
    BadFile("a token twice", .duplicateToken, .badVocabulary) {
      $0.set("tokenizer.ggml.tokens", .strings(["<unk>", "<s>", "</s>", "a", "a"]))
    },
    BadFile("a token twice up to a zero byte", .duplicateToken, .badVocabulary) {
      $0.set("tokenizer.ggml.tokens", .strings(["<unk>", "<s>", "</s>", "a", "a\0b"]))
    },
    BadFile("the text of an empty token taken", .duplicateToken, .badVocabulary) {
      $0.set("tokenizer.ggml.tokens", .strings(["<unk>", "", "[EMPTY_1]"]))
    },
    BadFile("too few scores", .scores, .badVocabulary) {
      $0.set("tokenizer.ggml.scores", .float32s([1, 2, 3]))
    },
    BadFile("scores that are texts", .scores, .wrongType) {
      $0.set("tokenizer.ggml.scores", .strings(["1"]))
    },
    BadFile("too few token types", .tokenTypes, .badVocabulary) {
      $0.set("tokenizer.ggml.token_type", .int32s([1]))
    },
    BadFile("token types as floating point", .tokenTypes, .wrongType) {
      $0.set("tokenizer.ggml.token_type", .float32s(Array(repeating: 1, count: 264)))
    },
    BadFile("merges that are numbers", .merges, .wrongType) {
      $0.set("tokenizer.ggml.merges", .int32s([1]))
    },
    BadFile("byte pairs without merges", .merges, .missingKey) {
      $0.set("tokenizer.ggml.model", .string("gpt2"))
    },
    BadFile("a token to add that does not exist", .addedTokens, .badValue) {
      $0.set("tokenizer.ggml.model", .string("gemma4"))
      $0.set("tokenizer.ggml.merges", .strings([]))
      $0.remove("tokenizer.ggml.bos_token_id")
    },
    BadFile("no vocabulary by name", .tokenizer, .notAChatModel) {
      $0.set("tokenizer.ggml.model", .string("none"))
    },
    BadFile("a tokenizer that is a number", .tokenizer, .wrongType) {
      $0.set("tokenizer.ggml.model", .uint32(1))
    },
    BadFile("a character map too short", .tokenizer, .badVocabulary) {
      $0.set(
        "tokenizer.ggml.precompiled_charsmap",
        .raw(
          type: 9, bytes: GGUFWriter.little(UInt32(0)) + GGUFWriter.little(UInt64(2)) + [0, 0]))
    },
    BadFile("a token of two megabytes", .tokens, .tooLarge) {
      $0.set(
        "tokenizer.ggml.tokens",
        .raw(
          type: 9,
          bytes: GGUFWriter.little(UInt32(8)) + GGUFWriter.little(UInt64(1))
            + GGUFWriter.little(UInt64(2 << 20))))
    },
    BadFile("merges that are a text", .merges, .wrongType) {
      $0.set("tokenizer.ggml.merges", .string("a b"))
    },
    BadFile("a beginning token with a sign", .specialTokens, .wrongType) {
      $0.set("tokenizer.ggml.bos_token_id", .int32(-1))
    },
    BadFile("an end token that is a text", .specialTokens, .wrongType) {
      $0.set("tokenizer.ggml.eos_token_id", .string("</s>"))
    },
    BadFile("suppressed tokens as texts", .specialTokens, .wrongType) {
      $0.set("tokenizer.ggml.suppress_tokens", .strings(["a"]))
    },
    BadFile("an end to add that does not exist", .addedTokens, .badValue) {
      $0.set("tokenizer.ggml.model", .string("gemma4"))
      $0.set("tokenizer.ggml.merges", .strings([]))
      $0.set("tokenizer.ggml.add_eos_token", .bool(true))
      $0.remove("tokenizer.ggml.eos_token_id")
    },
    BadFile("whether to add as a number", .addedTokens, .wrongType) {
      $0.set("tokenizer.ggml.add_bos_token", .uint32(1))
    },
    BadFile("a template that is a number", .template, .wrongType) {
      $0.set("tokenizer.chat_template", .uint32(1))
    },
    BadFile("a template of five megabytes", .template, .tooLarge) {
      $0.set("tokenizer.chat_template", .raw(type: 8, bytes: GGUFWriter.little(UInt64(5 << 20))))
    },
    BadFile("bytes for words of BERT", .tokenTypes, .badVocabulary) {
      $0.set("tokenizer.ggml.model", .string("bert"))
    },
    BadFile("bytes of RWKV that are no tokens", .tokens, .badVocabulary) {
      $0.set("tokenizer.ggml.model", .string("rwkv"))
      $0.set("tokenizer.ggml.tokens", .strings(["a", "b", "ab", "\\x00a"]))
    },
  ]
}

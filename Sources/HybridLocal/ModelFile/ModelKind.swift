private import HybridCore

/// Tells chat models, embedding models and other sound files apart.
enum ModelKind {
  /// Files that accompany a model and whose header lacks its dimensions.
  ///
  /// - Throws: `notAChatModel` for projectors of images and sound, adapters and importance matrices.
  static func refuseCompanions(_ keys: GGUFKeys, architecture: String) throws(ModelFileError) {
    let type = try keys.text("general.type")
    let what: String? =
      switch type {
      case "mmproj": "the image or sound part of a model"
      case "adapter": "an adapter (LoRA) for a model"
      case "imatrix": "an importance matrix for quantising"
      default: architecture == "clip" ? "the image or sound part of a model" : nil
      }
    guard let what else { return }
    throw ModelFileError(.notAChatModel, "this is \(what), not the model itself")
  }

  /// Why a sound file cannot chat; nil when it can.
  static func unfitness(_ keys: GGUFKeys, architecture: String, hasWeights: Bool)
    throws(ModelFileError) -> ModelFileError?
  {
    let pooling = try poolingType(keys, architecture: architecture) ?? 0
    // Without a causal mask a model sees the answer while it writes it; llama.cpp moreover asserts
    // that such a batch is never cut.
    let isCausal = try keys.flag("\(architecture).attention.causal") ?? true
    if pooling == rankPooling {
      return ModelFileError(
        .notAChatModel, "this is a reranker: it gives a score for a pair of texts",
        key: poolingKey(architecture))
    }
    guard hasWeights else {
      return ModelFileError(.vocabularyOnly, "this file holds a vocabulary and no weights")
    }
    if encoders.contains(architecture) {
      return ModelFileError(
        .embeddingModel, "this is an embedding model (architecture \(architecture))")
    }
    if let use = otherUses[architecture] {
      return ModelFileError(.notAChatModel, "this model is made for \(use)")
    }
    if pooling > 0 {
      return ModelFileError(
        .embeddingModel, "this is an embedding model: it pools its output",
        key: poolingKey(architecture))
    }
    if !isCausal {
      return ModelFileError(
        .embeddingModel, "this is an embedding model: its attention is not causal",
        key: "\(architecture).attention.causal")
    }
    return nil
  }

  /// How the file says its output is pooled, by llama.cpp's number: 0 not at all, 1 mean, 2 first token,
  /// 3 last token, 4 a reranker's. nil where it does not say.
  static func poolingType(_ keys: GGUFKeys, architecture: String) throws(ModelFileError) -> Int? {
    try keys.count(poolingKey(architecture), in: 0...rankPooling)
  }

  private static func poolingKey(_ architecture: String) -> String {
    "\(architecture).pooling_type"
  }

  private static let rankPooling = 4

  /// True for architectures of which llama.cpp keeps no keys and values, and computes no logits.
  static func isPureEncoder(_ architecture: String) -> Bool {
    encoders.contains(architecture) && !["llama-embed", "t5encoder"].contains(architecture)
  }

  /// llama.cpp's encoders.
  private static let encoders: Set<String> = [
    "bert", "modern-bert", "nomic-bert", "nomic-bert-moe", "neo-bert", "jina-bert-v2",
    "jina-bert-v3", "eurobert", "gemma-embedding", "llama-embed", "t5encoder",
  ]

  /// Architectures that do not write text from left to right by themselves.
  private static let otherUses: [String: String] = [
    "t5": "translating whole inputs (encoder and decoder), which is not supported",
    "dream": "diffusion, which is not supported",
    "llada": "diffusion, which is not supported",
    "llada-moe": "diffusion, which is not supported",
    "rnd1": "diffusion, which is not supported",
    "eagle3": "drafting tokens for another model",
    "dflash": "drafting tokens for another model",
    "gemma4-assistant": "drafting tokens for another model",
    "wavtokenizer-dec": "speech",
    "qwen3tts": "speech",
    "pockettts": "speech",
  ]
}

/// Models in several files, of which one alone cannot be loaded.
enum SplitFile {
  /// - Throws: `splitFile` where the header or the name says that there are other parts.
  static func refuse(_ keys: GGUFKeys, path: String) throws(ModelFileError) {
    let count = keys.values["split.count"].flatMap { value -> Int64? in
      if case .integer(let number) = value.payload { number } else { nil }
    }
    if let count, count > 1 {
      throw ModelFileError(
        .splitFile, "this is one of the \(count) parts of a split model, which are not read yet",
        offset: keys.values["split.count"]?.offset, key: "split.count")
    }
    if count == nil, let parts = ModelName.partCount(ofPath: path), parts > 1 {
      throw ModelFileError(
        .splitFile, "the name says that this is one of \(parts) parts, which are not read yet")
    }
  }
}

package import HybridCore

/// Which models can embed, and how their output is pooled.
package enum EmbedderKind {
  /// - Parameter asked: what the caller wants; nil takes the model's own.
  /// - Throws: `modelUnsupported` for rerankers and whatever else gives no vectors, and where neither
  ///   the caller nor the model says how to pool.
  package static func pooling(
    of header: GGUFHeader, path: String, asked: Pooling?
  ) throws(HybridError) -> Pooling {
    var isEmbedder = false
    do throws(ModelFileError) {
      try header.requireChatModel()
    } catch  where error.kind == .embeddingModel {
      isEmbedder = true
    } catch {
      throw unsupported(
        path, error.problem,
        error.kind == .vocabularyOnly ? error.nextStep : "Choose an embedding model", header)
    }
    if header.architecture == encoderOfT5 {
      throw unsupported(
        path, "embedding with an encoder of the T5 kind is not supported",
        "Choose an embedding model of another architecture", header)
    }
    if header.shape.recurrentStateBytes != nil {
      throw unsupported(
        path, "embedding with a recurrent model is not supported", "Choose an embedding model",
        header)
    }
    if let pooling = asked ?? header.poolingType.flatMap(Pooling.init(number:)) { return pooling }
    throw unsupported(
      path,
      isEmbedder
        ? "the file does not say how the embedding model's output is pooled"
        : "this is a chat model, whose output is not pooled",
      isEmbedder
        ? "Say how, as its makers do: `pooling`, --pooling mean, cls or last"
        : "Choose an embedding model, or give a pooling expressly: `pooling`, --pooling mean",
      header)
  }

  /// False for those kinds of embedding models that are not run here.
  package static func canEmbed(_ header: GGUFHeader) -> Bool {
    header.architecture != encoderOfT5 && header.shape.recurrentStateBytes == nil
  }

  private static let encoderOfT5 = "t5encoder"

  private static func unsupported(
    _ path: String, _ problem: String, _ nextStep: String, _ header: GGUFHeader
  ) -> HybridError {
    HybridError(
      .modelUnsupported, "\(path): \(problem)", nextStep: nextStep,
      details: [
        "path": .string(path),
        "architecture": .string(ModelFileError.printable(header.architecture)),
        "poolingType": .optional(header.poolingType),
      ], side: .local)
  }
}

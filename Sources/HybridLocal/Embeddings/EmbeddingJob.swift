#if LocalLlama
  package import HybridCore

  /// Texts inside the engine, with the way out for their vectors.
  package final class EmbeddingJob: Sendable {
    package let id: RequestID
    /// Tokens of each text, at least one text, each of 1 token to what the context holds.
    package let texts: [[Token]]
    /// When the request reached the embedder: timings count from here.
    package let received: Moment
    /// Its vectors, as the model has them.
    package let result = OneShot<Output>()

    package struct Output: Sendable, Hashable {
      package var vectors: [[Float]]
      package var timings: Timings
    }

    package init(id: RequestID, texts: [[Token]], received: Moment) {
      self.id = id
      self.texts = texts
      self.received = received
    }
  }
#endif

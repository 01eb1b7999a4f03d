#if LocalLlama
  package import HybridCore
  private import Synchronization

  /// What is known of an embedding model's file: its checked header, how it pools, and its tokenizer once
  /// needed.
  package final class EmbedderFacts: ModelFileFacts {
    package let path: String
    package let identity: ModelFileIdentity
    package let header: GGUFHeader
    package let pooling: Pooling
    private let known = Mutex(Finding<EmbeddingTokenizer>())

    /// Reads the header of an open file; a few milliseconds.
    ///
    /// - Parameter pooling: nil takes the model's own.
    /// - Throws: `modelFileInvalid`, `modelUnsupported`, `modelLoadFailed` where it cannot be read now.
    package init(path: String, file: OpenModelFile, pooling: Pooling?) throws(HybridError) {
      self.path = path
      identity = file.identity
      do throws(ModelFileError) {
        header = try GGUFHeader(file.bytes, name: path)
      } catch {
        throw error.at(path: path).hybridError
      }
      self.pooling = try EmbedderKind.pooling(of: header, path: path, asked: pooling)
    }

    /// When a vocabulary that could not be read is read again; nil for any other.
    package var retry: Moment? { known.withLock { $0.retry } }

    /// Reads the vocabulary the first time, 0.05 to 0.5 s, and keeps it. Never reads the weights.
    ///
    /// - Throws: `modelLoadFailed`, for a second or more before it is tried again.
    package func tokenizer(at now: Moment) throws(HybridError) -> EmbeddingTokenizer {
      try known.withLock { known in
        if let result = known.known(at: now) { return result }
        let path = path
        let header = header
        let result = Result { () throws(HybridError) in
          try EmbeddingTokenizer(path: path, header: header)
        }
        known.record(result, at: now)
        return result
      }.get()
    }
  }
#endif

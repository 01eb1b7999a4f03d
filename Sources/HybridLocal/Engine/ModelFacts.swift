#if LocalLlama
  package import HybridCore
  private import Synchronization

  /// What is known of one model file: its checked header, and its prompt builder once needed.
  package final class ModelFacts: Sendable {
    package let path: String
    package let identity: ModelFileIdentity
    package let header: GGUFHeader
    private let builder = Mutex(Finding<PromptBuilder>())

    /// Reads the header of an open file; a few milliseconds.
    ///
    /// - Throws: `modelFileInvalid`, `modelUnsupported`, `modelLoadFailed` where it cannot be read now.
    package init(path: String, file: OpenModelFile) throws(HybridError) {
      self.path = path
      identity = file.identity
      do throws(ModelFileError) {
        header = try GGUFHeader(file.bytes, name: path)
        try header.requireChatModel()
      } catch {
        throw error.at(path: path).hybridError
      }
    }

    /// When a vocabulary that could not be read is read again; nil for any other.
    package var promptRetry: Moment? { builder.withLock { $0.retry } }

    /// Reads the vocabulary the first time, 0.05 to 0.5 s, and keeps it. Never reads the weights.
    ///
    /// - Throws: `templateRejected`, the same each time; `modelLoadFailed`, for a second or more
    ///   before it is tried again.
    package func promptBuilder(at now: Moment) throws(HybridError) -> PromptBuilder {
      try builder.withLock { builder in
        if let known = builder.known(at: now) { return known }
        let path = path
        let header = header
        let result = Result { () throws(HybridError) in
          try PromptBuilder(path: path, header: header)
        }
        builder.record(result, at: now)
        return result
      }.get()
    }
  }
#endif

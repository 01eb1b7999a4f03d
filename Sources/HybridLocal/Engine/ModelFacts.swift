#if LocalLlama
  package import HybridCore
  private import Synchronization

  /// What is known of one model file: its checked header, and its prompt builder once needed.
  package final class ModelFacts: Sendable {
    package let path: String
    package let identity: FileIdentity
    package let header: GGUFHeader
    private let builder = Mutex<Result<PromptBuilder, HybridError>?>(nil)

    /// Reads the header; a few milliseconds.
    ///
    /// - Throws: `modelNotFound`, `modelFileInvalid`, `modelUnsupported`.
    package init(path: String, identity: FileIdentity) throws(HybridError) {
      self.path = path
      self.identity = identity
      do throws(ModelFileError) {
        header = try GGUFHeader(path: path)
        try header.requireChatModel()
      } catch {
        throw error.hybridError
      }
    }

    /// Reads the vocabulary the first time, 0.05 to 0.5 s, and keeps it. Never reads the weights.
    ///
    /// - Throws: `templateRejected`, `modelLoadFailed`; the same error each time.
    package func promptBuilder() throws(HybridError) -> PromptBuilder {
      try builder.withLock { known in
        if let known { return known }
        let path = path
        let header = header
        let result = Result { () throws(HybridError) in
          try PromptBuilder(path: path, header: header)
        }
        known = result
        return result
      }.get()
    }
  }
#endif

#if LocalLlama
  package import HybridCore
  private import Synchronization

  /// What is known of one model file: its checked header, and its prompt builder once needed.
  package final class ModelFacts: ModelFileFacts {
    /// The file to load: the model's own, or the copy that stands in for it.
    package let path: String
    /// Whether a tuned copy stands in; nil where nobody asked for one.
    package let copy: TunedCopyChoice?
    /// Of the model's own file.
    package let identity: ModelFileIdentity
    package let header: GGUFHeader
    private let builder = Mutex(Finding<PromptBuilder>())

    /// Reads the header of an open file; a few milliseconds.
    ///
    /// - Parameter copy: of a sound one, the header is read in place of the file's.
    /// - Throws: `modelFileInvalid`, `modelUnsupported`, `modelLoadFailed` where it cannot be read now.
    package init(
      path: String, file: OpenModelFile, copy: TunedCopyChoice? = nil
    ) throws(HybridError) {
      identity = file.identity
      if case .used(_, let copyPath) = copy, let header = try? GGUFHeader(path: copyPath) {
        (self.path, self.copy, self.header) = (copyPath, copy, header)
        return
      }
      self.path = path
      // A copy that was there a moment ago.
      self.copy = copy.map {
        $0.format == nil ? $0 : .absent(reason: "its tuned copy cannot be read")
      }
      do throws(ModelFileError) {
        header = try GGUFHeader(file.bytes, name: path)
        try header.requireChatModel()
      } catch {
        throw error.at(path: path).hybridError
      }
    }

    /// When a vocabulary that could not be read is read again; nil for any other.
    package var retry: Moment? { builder.withLock { $0.retry } }

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

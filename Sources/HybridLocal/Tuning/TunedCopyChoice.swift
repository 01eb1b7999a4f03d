/// Whether a tuned copy stands in for a model's file.
public enum TunedCopyChoice: Sendable, Hashable {
  /// - Parameters:
  ///   - format: of its weights, such as `Q8_0`.
  ///   - path: in the cache.
  case used(format: String, path: String)
  /// The file itself is used; a sentence without its full stop.
  case absent(reason: String)

  /// The format of the copy that is used.
  public var format: String? { if case .used(let format, _) = self { format } else { nil } }
}

#if LocalLlama
  extension TunedCopyChoice {
    /// For a model's file. Costs a megabyte of reading.
    package static func of(
      _ model: ModelBytes, machine: Machine, environment: [String: String]
    ) -> TunedCopyChoice {
      guard let store = TunedCopies(environment: environment) else {
        return .absent(reason: "neither XDG_CACHE_HOME nor HOME says where a copy would be")
      }
      do throws(ModelFileError) {
        return store.choice(
          for: try TunedCopyKey(model, machine: machine, library: LlamaLibrary.version))
      } catch {
        return .absent(reason: "the model file could not be read to look for its copy")
      }
    }
  }
#endif

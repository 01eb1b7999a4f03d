public import HybridCore

/// What was removed of what tuning had kept.
public struct RemovedCopies: Sendable, Hashable {
  /// Copies, and the records beside them.
  public private(set) var paths: [String] = []
  /// Of all of them together.
  public private(set) var bytes: UInt64 = 0

  package init() {}

  package mutating func add(_ path: String, _ bytes: UInt64) {
    paths.append(path)
    self.bytes += bytes
  }

  /// How many of them are copies, and not records.
  public var copies: Int { paths.count { $0.hasSuffix(".gguf") } }
}

extension ModelTuner {
  /// Removes what tuning kept of this model, for whatever processor and version of llama.cpp, and what is
  /// left of others without its other half. Who has a copy loaded keeps it until the unload.
  ///
  /// - Throws: `modelNotFound` and what else keeps the model from being read, `localBusy` while a run is
  ///   under way, `invalidConfiguration` where the cache folder cannot be written to.
  @discardableResult
  public func removeCopies() async throws(HybridError) -> RemovedCopies {
    try await BackgroundQueue().run { () throws(HybridError) in
      let model: String
      do throws(ModelFileError) {
        model = try ModelFingerprint.of(try ModelFileHandle(path: modelPath).bytes)
      } catch {
        throw error.at(path: modelPath).hybridError
      }
      return try TunedCopies(environment: environment)?.remove(model: model) ?? RemovedCopies()
    }
  }

  /// Removes all that tuning kept, also of models that are gone.
  ///
  /// - Throws: as ``removeCopies()``.
  @discardableResult
  public static func removeAllCopies() async throws(HybridError) -> RemovedCopies {
    try await removeAllCopies(environment: ProcessEnvironment.variables)
  }

  package static func removeAllCopies(
    environment: [String: String]
  ) async throws(HybridError) -> RemovedCopies {
    try await BackgroundQueue().run { () throws(HybridError) in
      try TunedCopies(environment: environment)?.remove(model: nil) ?? RemovedCopies()
    }
  }
}

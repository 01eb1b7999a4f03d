public import HybridCore

/// The model files on this machine: what they are, and whether they are sound.
///
///     for model in try await ModelCatalog().list().models {
///       print(model.name, (try? model.facts.get().format) ?? "cannot be used")
///     }
///     let check = try await ModelCatalog().check("/models/new.gguf")
///     guard check.isGood else { throw check.error ?? … }
///
/// Nothing is loaded, written or downloaded, and llama.cpp is not shown the files.
public struct ModelCatalog: Sendable {
  private let environment: [String: String]
  private let home: String?
  private let machine: Machine
  private let files: ModelFiles
  private let queue = BackgroundQueue()

  /// Looks where the environment of this process says.
  public init() {
    let variables = ProcessEnvironment.variables
    self.init(environment: variables, home: variables["HOME"])
  }

  package init(
    environment: [String: String], home: String?, machine: Machine = .current,
    files: ModelFiles = .real
  ) {
    self.environment = environment
    self.home = home
    self.machine = machine
    self.files = files
  }

  /// Every model that is found. Reads a header each: some ten milliseconds for a warm file.
  ///
  /// - Throws: `cancelled` with its task.
  public func list() async throws(HybridError) -> ModelListing {
    try await queue.run { () throws(HybridError) in reader.list(home: home) }
  }

  /// One file.
  ///
  /// - Parameter model: a path, or a name that is looked up.
  /// - Throws: `modelNotFound`; `cancelled` with its task. What is wrong with the file itself stands in
  ///   ``ModelSummary/facts``.
  public func summary(of model: String) async throws(HybridError) -> ModelSummary {
    try await queue.run { () throws(HybridError) in reader.summary(of: try path(of: model)) }
  }

  /// Runs the pre-flight on one file and tells each finding.
  ///
  /// - Parameters:
  ///   - model: a path, or a name that is looked up.
  ///   - hash: what the file's SHA-256 is to be; nil: it is not computed, which takes far longer than
  ///     all the rest. A cancelled task ends that within a MiB.
  /// - Throws: `modelNotFound`, `modelLoadFailed` where the file cannot be read now; `cancelled` with
  ///   its task. What is wrong with the file itself stands in the result.
  public func check(
    _ model: String, hash: SHA256Digest? = nil
  ) async throws(HybridError) -> ModelCheck {
    let file = try await queue.run { () throws(HybridError) in try path(of: model) }
    return try await check(atPath: file, hash: hash)
  }

  package func check(
    atPath path: String, hash: SHA256Digest? = nil
  ) async throws(HybridError) -> ModelCheck {
    try await queue.run { isUnwanted throws(HybridError) in
      try reader.check(path, hash: hash, isCancelled: { isUnwanted.isRaised })
    }
  }

  private var reader: ModelReader {
    ModelReader(machine: machine, environment: environment, files: files)
  }

  private func path(of model: String) throws(HybridError) -> String {
    try ModelLocator(environment: environment, home: home).find(model).path
  }
}

import HybridCore

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

/// The folder of tuned copies: one file a model, processor and llama.cpp, and a record beside it.
///
///     8c1f….json           what was measured, and which copy was kept
///     8c1f….Q8_0.gguf      that copy
///     .tuning-Q4_0.gguf    of a run that is under way, or was interrupted
///
/// A cache: what is missing, damaged or not ours counts as absent. A copy is put in place whole, and its
/// record after it, so that a reader never finds a part of one.
package struct TunedCopies: Sendable, Hashable {
  package let folder: String

  package init(folder: String) {
    self.folder = folder
  }

  /// `hybridkit/models` below `XDG_CACHE_HOME`, else `HOME/.cache`; nil where neither is set.
  package init?(environment: [String: String]) {
    guard let cache = CacheFolder.path(environment) else { return nil }
    folder = cache + "/models"
  }

  func recordPath(_ key: TunedCopyKey) -> String { "\(folder)/\(key.name).json" }

  func copyPath(_ key: TunedCopyKey, _ format: String) -> String {
    "\(folder)/\(key.name).\(format).gguf"
  }

  func temporaryPath(_ format: WeightFormat) -> String {
    "\(folder)/\(Self.temporaryPrefix)\(format).gguf"
  }

  /// What the names of unfinished copies begin with.
  package static let temporaryPrefix = ".tuning-"

  // MARK: Reading

  /// What an earlier run came to; nil where none did, or what it kept is gone or damaged.
  func soundRecord(for key: TunedCopyKey) -> TuningRecord? {
    guard let record = record(for: key) else { return nil }
    if let kept = record.kept, !isSound(kept, at: copyPath(key, kept.format)) { return nil }
    return record
  }

  /// The copy to load in place of a model.
  package func choice(for key: TunedCopyKey) -> TunedCopyChoice {
    guard let record = record(for: key) else {
      return .absent(
        reason: isPresent(recordPath(key))
          ? "the record of its tuning is damaged: tune it again"
          : "it was not tuned on this CPU with llama.cpp \(key.library): run hybrid models tune")
    }
    guard let kept = record.kept else {
      return .absent(reason: "tuning found no copy that is better than the file itself")
    }
    let path = copyPath(key, kept.format)
    guard isSound(kept, at: path) else {
      return .absent(reason: "its tuned copy is gone or damaged: tune it again")
    }
    return .used(format: kept.format, path: path)
  }

  /// The sizes of the models that were tuned, in bytes: any other file has no copy.
  func modelSizes() -> Set<UInt64> {
    let names = (try? FolderReader.real.names(folder).get()) ?? []
    let records = names.filter { $0.hasSuffix(".json") }.compactMap {
      readSystemFile("\(folder)/\($0)").flatMap(TuningRecord.init)
    }
    return Set(records.compactMap { ModelFingerprint.size(of: $0.key.model) })
  }

  private func record(for key: TunedCopyKey) -> TuningRecord? {
    readSystemFile(recordPath(key)).flatMap(TuningRecord.init).flatMap {
      $0.key == key ? $0 : nil
    }
  }

  private func isSound(_ kept: TuningRecord.Kept, at path: String) -> Bool {
    do throws(ModelFileError) {
      let file = try ModelFileHandle(path: path)
      guard file.identity.size == kept.size, file.identity.modified == kept.modified else {
        return false
      }
      return try ModelFingerprint.of(file.bytes) == kept.fingerprint
    } catch {
      return false
    }
  }

  // MARK: Writing, with the lock

  /// Puts an unfinished copy in place as the one to use, and removes what it replaces.
  ///
  /// - Parameter record: what to remember; its `kept` is filled in here.
  /// - Parameter format: of the copy that is kept; nil where the original is best.
  /// - Throws: `invalidConfiguration` where the folder cannot be written, `insufficientDiskSpace`; then no
  ///   copy of this run is left.
  func keep(_ format: WeightFormat?, _ record: TuningRecord) throws(HybridError) -> TuningRecord {
    var record = record
    record.kept = nil
    if let format {
      let path = copyPath(record.key, format.name)
      guard unsafe rename(temporaryPath(format), path) == 0 else {
        throw CacheFolder.unusable(folder, errno)
      }
      do throws(ModelFileError) {
        let file = try ModelFileHandle(path: path)
        record.kept = TuningRecord.Kept(
          format: format.name, size: file.identity.size,
          fingerprint: try ModelFingerprint.of(file.bytes), modified: file.identity.modified)
      } catch {
        throw error.at(path: path).hybridError
      }
    }
    let failure = writeSmallFile(recordPath(record.key), record.bytes)
    guard failure == 0 else {
      // No record tells of it; one of an earlier run tells of the copy that was here before.
      if let format { _ = unsafe unlink(copyPath(record.key, format.name)) }
      throw CacheFolder.unusable(folder, failure)
    }
    sweep(superseding: record.key)
    return record
  }

  /// Removes what tuning kept of a model, for whatever processor and llama.cpp; halves of which the other
  /// is missing go too, since nobody can tell whose they are, and what interrupted runs left.
  ///
  /// - Parameter model: its ``ModelFingerprint``; nil: of every model.
  /// - Returns: what there was, in the order of the names; nothing where there is no folder.
  /// - Throws: `localBusy` while a run holds the folder, `invalidConfiguration` where it cannot be written.
  func remove(model: String?) throws(HybridError) -> RemovedCopies {
    guard isPresent(folder) else { return RemovedCopies() }
    return try lock(failure: 0) { () throws(HybridError) in
      let names = (try? FolderReader.real.names(folder).get()) ?? []
      var wanted: Set<String> = []
      for name in names where model != nil && name.hasSuffix(".json") {
        guard let record = readSystemFile("\(folder)/\(name)").flatMap(TuningRecord.init),
          name == "\(record.key.name).json", record.key.model != model
        else { continue }
        let copy = record.kept.map { "\(record.key.name).\($0.format).gguf" }
        // A record without its copy is worth nothing.
        if let copy, !names.contains(copy) { continue }
        wanted.formUnion([name] + [copy].compactMap(\.self))
      }
      var removed = RemovedCopies()
      for name in names.sorted() where !wanted.contains(name) && Self.isOurs(name) {
        let path = "\(folder)/\(name)"
        var bytes: UInt64 = 0
        if case .file(let size)? = FolderReader.real.entry(path) { bytes = size }
        guard unsafe unlink(path) == 0 else { throw CacheFolder.unusable(folder, errno) }
        removed.add(path, bytes)
      }
      return removed
    }
  }

  /// Removes what interrupted runs left: unfinished copies and records, and copies that no record names.
  ///
  /// - Parameter key: of a model whose copies for other versions of llama.cpp go too.
  func sweep(superseding key: TunedCopyKey? = nil) {
    let names = (try? FolderReader.real.names(folder).get()) ?? []
    var wanted: Set<String> = []
    for name in names where name.hasSuffix(".json") {
      guard let record = readSystemFile("\(folder)/\(name)").flatMap(TuningRecord.init),
        name == "\(record.key.name).json"
      else { continue }
      if let key, record.key != key, record.key.model == key.model,
        record.key.processor == key.processor
      {
        continue
      }
      wanted.insert(name)
      if let kept = record.kept { wanted.insert("\(record.key.name).\(kept.format).gguf") }
    }
    for name in names where !wanted.contains(name) && Self.isOurs(name) {
      _ = unsafe unlink("\(folder)/\(name)")
    }
  }

  /// Nothing else is ever removed, whatever somebody put there.
  static func isOurs(_ name: String) -> Bool {
    if name.hasPrefix(temporaryPrefix) { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard let key = parts.first, key.utf8.count == 16, key.allSatisfy(\.isHexDigit),
      parts.count > 1
    else { return false }
    // The second: a record that was being written, as `replaceSmallFile` names it.
    return parts[1] == "json" || (parts.count == 3 && parts[2] == "gguf")
  }

  // MARK: The lock

  /// Makes the folder, and holds it for as long as `body` runs: no other run is under way meanwhile, so
  /// that all unfinished copies in it are leftovers. They are removed before and after.
  ///
  /// - Throws: `localBusy` while another run holds it, `invalidConfiguration` where it cannot be made or
  ///   written, `insufficientDiskSpace`; what `body` throws.
  func hold<Value>(_ body: () throws(HybridError) -> Value) throws(HybridError) -> Value {
    let failure = makeFolders(above: folder + "/")
    return try lock(failure: failure) { () throws(HybridError) in
      sweep()
      defer { sweep() }
      // Before minutes of work that could not be kept.
      let trial = "\(folder)/\(Self.temporaryPrefix)trial"
      let refusal = writeSmallFile(trial, [0x0A])
      guard refusal == 0 else { throw CacheFolder.unusable(folder, refusal) }
      _ = unsafe unlink(trial)
      return try body()
    }
  }

  /// - Parameter failure: of making the folder, by the system's number, where it is not there.
  private func lock<Value>(
    failure: Int32, _ body: () throws(HybridError) -> Value
  ) throws(HybridError) -> Value {
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CacheFolder.unusable(folder, failure == 0 ? errno : failure)
    }
    // Given back by hand: a process that is being started at that moment has the descriptor too, and
    // closing this one alone would leave the lock to it.
    defer {
      _ = flock(descriptor, LOCK_UN)
      _ = close(descriptor)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw HybridError(
        .localBusy, "another process is tuning a model in \(folder)",
        nextStep: "Try again when it is through", details: ["folder": .string(folder)],
        side: .local)
    }
    return try body()
  }
}

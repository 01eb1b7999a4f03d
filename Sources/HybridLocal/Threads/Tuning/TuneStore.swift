package import HybridCore

/// Tuned thread counts, remembered from one process to the next in a small JSON file.
///
/// The file is a cache: one that is missing, damaged or not ours counts as empty, and is replaced by
/// the next ``remember(_:for:)``. It is replaced whole, so that a reader never sees half of it; writers
/// take turns, so that none loses what another remembered.
package struct TuneStore: Sendable, Hashable {
  package let path: String

  package init(path: String) {
    self.path = path
  }

  /// Below `XDG_CACHE_HOME`, else `HOME/.cache`; nil where neither is set.
  package init?(environment: [String: String]) {
    guard let folder = CacheFolder.path(environment) else { return nil }
    path = folder + "/threads.json"
  }

  /// What stands in the file.
  package enum State: Sendable, Hashable {
    /// Nothing was ever remembered.
    case absent
    case readable(entries: Int)
    /// There, and may not be read or is no file.
    case unreadable
    /// Not what this writes; the next ``TuneStore/remember(_:for:)`` replaces it.
    case damaged

    /// What is wrong with it, after the file's path; nil where nothing is.
    package var problem: String? {
      switch self {
      case .absent, .readable: nil
      case .unreadable: "cannot be read"
      case .damaged: "is damaged, and will be replaced"
      }
    }
  }

  package var state: State { contents().state }

  package func counts(for key: TuneKey) -> ThreadCounts? {
    contents().entries.last { $0.key == key }?.counts
  }

  /// All that is remembered of a model on this processor.
  package func counts(for subject: TuneSubject) -> (tuned: TunedThreads, state: State) {
    let contents = contents()
    var counts: [TuneKey: ThreadCounts] = [:]
    for entry in contents.entries where entry.key.model == subject.model {
      counts[entry.key] = entry.counts
    }
    return (TunedThreads(subject: subject, counts: counts), contents.state)
  }

  /// - Returns: false when the file could not be written; the counts hold for this process all the same.
  @discardableResult
  package func remember(_ counts: ThreadCounts, for key: TuneKey) -> Bool {
    makeFolders(above: path)
    return withFolderLocked(of: path) {
      let kept = contents().entries.filter { $0.key != key }.suffix(Self.most - 1)
      return replaceSmallFile(path, with: Self.encode(kept + [Entry(key: key, counts: counts)]))
    }
  }

  struct Entry: Sendable, Hashable {
    let key: TuneKey
    let counts: ThreadCounts
  }

  private func contents() -> (entries: [Entry], state: State) {
    guard let text = readSystemFile(path) else {
      return ([], isPresent(path) ? .unreadable : .absent)
    }
    guard let entries = Self.decode(text) else { return ([], .damaged) }
    return (entries, .readable(entries: entries.count))
  }

  static func encode(_ entries: some Sequence<Entry>) -> [UInt8] {
    let values = entries.map { entry -> JSONValue in
      [
        "model": .string(entry.key.model), "machine": .string(entry.key.machine),
        "quota": .optional(entry.key.quota), "decode": .int(entry.counts.decode),
        "prefill": .int(entry.counts.prefill),
      ]
    }
    return JSONWriter.pretty.bytes(["format": .int(format), "entries": .array(values)]) + [0x0A]
  }

  /// The entries that make sense, oldest first; nil where the text is not ours.
  static func decode(_ text: String) -> [Entry]? {
    guard let file = try? JSONReader.file.read(text), file["format"]?.int == format,
      let entries = file["entries"]?.array
    else { return nil }
    return entries.compactMap { value in
      guard let model = value["model"]?.string, let machine = value["machine"]?.string,
        let decode = value["decode"]?.int, let prefill = value["prefill"]?.int,
        ThreadSettings.range.contains(decode), ThreadSettings.range.contains(prefill)
      else { return nil }
      return Entry(
        key: TuneKey(model: model, machine: machine, quota: value["quota"]?.string),
        counts: ThreadCounts(decode: decode, prefill: prefill))
    }.suffix(most)
  }

  /// Of the file's layout.
  private static let format = 1
  /// Entries kept; the oldest goes.
  private static let most = 64
}

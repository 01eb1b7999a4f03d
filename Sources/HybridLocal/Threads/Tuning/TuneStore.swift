package import HybridCore

/// Tuned thread counts, remembered from one process to the next in a small JSON file.
///
/// The file is a cache: one that is missing, damaged or not ours counts as empty, and is replaced by
/// the next ``remember(_:for:)``. It is replaced whole, so that a reader never sees half of it; of two
/// processes that write at once, one's entry may be lost.
package struct TuneStore: Sendable {
  package let path: String

  package init(path: String) {
    self.path = path
  }

  /// Below `XDG_CACHE_HOME`, else `HOME/.cache`; nil where neither is set.
  package init?(environment: [String: String]) {
    func value(_ name: String) -> String? {
      // The base directory specification: "All paths … must be absolute", and others are ignored.
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    guard let cache = value("XDG_CACHE_HOME") ?? value("HOME").map({ $0 + "/.cache" }) else {
      return nil
    }
    path = cache + "/hybridkit/threads.json"
  }

  package func counts(for key: TuneKey) -> ThreadCounts? {
    entries().last { $0.key == key }?.counts
  }

  /// - Returns: false when the file could not be written; the counts hold for this process all the same.
  @discardableResult
  package func remember(_ counts: ThreadCounts, for key: TuneKey) -> Bool {
    let kept = entries().filter { $0.key != key }.suffix(Self.most - 1)
    return replaceSmallFile(path, with: Self.encode(kept + [Entry(key: key, counts: counts)]))
  }

  struct Entry: Sendable, Hashable {
    let key: TuneKey
    let counts: ThreadCounts
  }

  private func entries() -> [Entry] {
    readSystemFile(path).map { Self.decode($0) } ?? []
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

  /// The entries that make sense, oldest first.
  static func decode(_ text: String) -> [Entry] {
    guard let file = try? JSONReader.file.read(text), file["format"]?.int == format else {
      return []
    }
    return (file["entries"]?.array ?? []).compactMap { value in
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

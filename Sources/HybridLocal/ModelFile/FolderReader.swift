import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the model look-up asks of the file system.
package struct FolderReader: Sendable {
  package enum Entry: Sendable, Hashable {
    case file(size: UInt64)
    case folder
    case other
  }

  /// What stands at the path, links followed; nil for nothing.
  package var entry: @Sendable (_ path: String) -> Entry?
  /// The names in a folder; none where it cannot be read.
  package var names: @Sendable (_ folder: String) -> [String]

  package init(
    entry: @escaping @Sendable (_ path: String) -> Entry?,
    names: @escaping @Sendable (_ folder: String) -> [String]
  ) {
    self.entry = entry
    self.names = names
  }

  /// The machine's own file system.
  package static let real = FolderReader(
    entry: { path in
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { return nil }
      return switch status.st_mode & S_IFMT {
      case S_IFREG: .file(size: UInt64(clamping: status.st_size))
      case S_IFDIR: .folder
      default: .other
      }
    },
    names: { folder in
      (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    })
}

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
    /// A link that leads back to itself.
    case linkLoop
    /// A link to what is not there.
    case brokenLink
    /// There may be something, but the system does not let it be looked at.
    case closed(Refusal)
  }

  /// Why the system does not show a file or a folder.
  package struct Refusal: Error, Sendable, Hashable {
    /// The system's words for it.
    package let reason: String
    /// No descriptor is left to look with: nothing is known of what is there.
    package let isOutOfDescriptors: Bool

    package init(reason: String, isOutOfDescriptors: Bool = false) {
      self.reason = reason
      self.isOutOfDescriptors = isOutOfDescriptors
    }

    fileprivate init(_ number: Int32) {
      reason = unsafe String(cString: strerror(number))
      isOutOfDescriptors = [EMFILE, ENFILE].contains(number)
    }
  }

  /// What stands at the path, links followed; nil for nothing.
  package var entry: @Sendable (_ path: String) -> Entry?
  /// The names in a folder.
  package var names: @Sendable (_ folder: String) -> Result<[String], Refusal>

  package init(
    entry: @escaping @Sendable (_ path: String) -> Entry?,
    names: @escaping @Sendable (_ folder: String) -> Result<[String], Refusal>
  ) {
    self.entry = entry
    self.names = names
  }

  /// The machine's own file system.
  package static let real = FolderReader(
    entry: { path in
      var status = stat()
      guard unsafe stat(path, &status) == 0 else {
        switch errno {
        // Of a name that is too long there can be nothing.
        case ENOENT, ENOTDIR, ENAMETOOLONG: return isPresent(path) ? .brokenLink : nil
        case ELOOP: return .linkLoop
        case let number: return .closed(Refusal(number))
        }
      }
      return switch status.st_mode & S_IFMT {
      case S_IFREG: .file(size: UInt64(clamping: status.st_size))
      case S_IFDIR: .folder
      default: .other
      }
    },
    names: { folder in
      // FileManager says why only in a type that Linux does not have.
      let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { return .failure(Refusal(errno)) }
      close(descriptor)
      do {
        return .success(try FileManager.default.contentsOfDirectory(atPath: folder))
      } catch {
        return .failure(Refusal(reason: "cannot be read"))
      }
    })
}

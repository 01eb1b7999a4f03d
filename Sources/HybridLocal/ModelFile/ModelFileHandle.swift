#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// The model reader's C boundary: open, fstat, pread, close. The rest of the folder sees bytes.

/// A model file open for reading; closed when the last reference goes.
final class ModelFileHandle: Sendable {
  let identity: ModelFileIdentity
  private let descriptor: Int32

  /// - Throws: ``ModelFileError`` of the kinds missing, unreadable, directory, notAFile, empty.
  init(path: String) throws(ModelFileError) {
    // Not blocking: a named pipe would otherwise wait for a writer for ever.
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.openError(errno, path) }
    do throws(ModelFileError) {
      identity = try ModelFileIdentity(descriptor: descriptor, path: path)
    } catch {
      _ = close(descriptor)
      throw error
    }
  }

  deinit {
    _ = close(descriptor)
  }

  var bytes: ModelBytes {
    ModelBytes(size: identity.size) { [self] offset, count throws(ModelFileError) in
      try read(offset, count)
    }
  }

  private func read(_ offset: UInt64, _ count: Int) throws(ModelFileError) -> [UInt8] {
    guard let start = off_t(exactly: offset) else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let result = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(
          descriptor, buffer.baseAddress?.advanced(by: filled), count - filled,
          start + off_t(filled))
      }
      if result < 0 {
        if errno == EINTR { continue }
        throw ModelFileError(
          .readFailed, "reading failed (error \(errno))", offset: offset + UInt64(filled))
      }
      if result == 0 { break }
      filled += result
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  private static func openError(_ code: Int32, _ path: String) -> ModelFileError {
    switch code {
    case ENOENT, ENOTDIR:
      ModelFileError(.missing, "there is no such file", path: path)
    case EACCES, EPERM:
      ModelFileError(.unreadable, "permission to read the file is denied", path: path)
    case ENXIO, ENODEV:
      ModelFileError(.notAFile, "this is not a regular file", path: path)
    case ENAMETOOLONG, EINVAL, ELOOP:
      ModelFileError(.missing, "this path cannot be followed (error \(code))", path: path)
    default:
      ModelFileError(.readFailed, "the file cannot be opened (error \(code))", path: path)
    }
  }
}

/// Which file it is, and which state of it: a swapped or rewritten file has another.
package struct ModelFileIdentity: Sendable, Hashable {
  package let device: UInt64
  package let inode: UInt64
  /// Bytes, at least 1.
  package let size: UInt64
  /// When it was last written, in nanoseconds since 1970.
  package let modified: Int64

  /// What stands at the path now; costs one open and one fstat (microseconds).
  package init(path: String) throws(ModelFileError) {
    self = try ModelFileHandle(path: path).identity
  }

  fileprivate init(descriptor: Int32, path: String) throws(ModelFileError) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw ModelFileError(.readFailed, "the file cannot be examined (error \(errno))", path: path)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw ModelFileError(.directory, "this is a folder, not a file", path: path)
    default: throw ModelFileError(.notAFile, "this is not a regular file", path: path)
    }
    guard status.st_size > 0 else {
      throw ModelFileError(.empty, "the file is empty", path: path)
    }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = UInt64(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modified = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

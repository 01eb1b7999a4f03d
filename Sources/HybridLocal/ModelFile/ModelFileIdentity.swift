#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Which file it is, and which state of it: a swapped or rewritten file has another.
package struct ModelFileIdentity: Sendable, Hashable {
  package let device: UInt64
  package let inode: UInt64
  /// Bytes, at least 1.
  package let size: UInt64
  /// When it was last written, in nanoseconds since 1970. A copy may keep its original's.
  package let modified: Int64
  /// When it, its permissions or its names last changed, which nobody can set.
  package let changed: Int64

  /// What stands at the path now; costs one open and one fstat (microseconds).
  package init(path: String) throws(ModelFileError) {
    self = try ModelFileHandle(path: path).identity
  }

  init(descriptor: Int32, path: String) throws(ModelFileError) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw ModelFileError.notNow("examined", errno, path: path)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw ModelFileError(.directory, "this is a folder, not a file", path: path)
    default: throw ModelFileError(.notAFile, "this is not a regular file", path: path)
    }
    guard status.st_size > 0 else {
      throw ModelFileError(.empty, "the file is empty", path: path)
    }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(status.st_ino)
    size = UInt64(status.st_size)
    #if canImport(Darwin)
      modified = Self.nanoseconds(status.st_mtimespec)
      changed = Self.nanoseconds(status.st_ctimespec)
    #else
      modified = Self.nanoseconds(status.st_mtim)
      changed = Self.nanoseconds(status.st_ctim)
    #endif
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

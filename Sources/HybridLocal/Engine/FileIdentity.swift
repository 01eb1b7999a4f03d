#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// Tells whether a path still names the same, unchanged file. Costs microseconds.
package struct FileIdentity: Sendable, Hashable {
  private let device: UInt64
  private let node: UInt64
  private let size: Int64
  private let changed: [Int]

  /// nil when nothing is at the path.
  package init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    node = UInt64(status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      changed = [status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec]
    #else
      changed = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    #endif
  }
}

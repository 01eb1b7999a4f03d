public import HybridCore

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

/// How much room a folder's file system has: as the system tells, or as a test does.
package struct DiskSpace: Sendable {
  /// Bytes that this user may still write there; nil where the system does not tell.
  package var available: @Sendable (_ folder: String) -> UInt64?

  package init(available: @escaping @Sendable (_ folder: String) -> UInt64?) {
    self.available = available
  }

  package static let real = DiskSpace { folder in
    var facts = statvfs()
    guard unsafe statvfs(folder, &facts) == 0 else { return nil }
    return UInt64(facts.f_bavail) * UInt64(facts.f_frsize)
  }

  /// - Throws: `insufficientDiskSpace` with both numbers. Nothing where the system does not tell.
  package func require(_ needed: UInt64, in folder: String) throws(HybridError) {
    guard let available = available(folder), available < needed else { return }
    throw Self.insufficient(needed: needed, available: available, folder: folder)
  }

  static func insufficient(needed: UInt64, available: UInt64, folder: String) -> HybridError {
    HybridError(
      .insufficientDiskSpace,
      "tuning needs \(needed) bytes in \(folder), and \(available) are available",
      nextStep: "Free some space, try fewer formats, or set XDG_CACHE_HOME to a larger disk",
      details: [
        "needed": .int(Int(clamping: needed)), "available": .int(Int(clamping: available)),
        "folder": .string(folder),
      ], side: .local)
  }
}

extension ErrorCode {
  /// A disk has no room for a tuned copy of a model. `details` has `needed` and `available`, in bytes.
  public static let insufficientDiskSpace = ErrorCode(rawValue: "insufficientDiskSpace")
}

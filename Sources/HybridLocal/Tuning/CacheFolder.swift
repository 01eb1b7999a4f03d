import HybridCore

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

/// The user's cache folder.
enum CacheFolder {
  /// `hybridkit` below `XDG_CACHE_HOME`, else below `HOME/.cache`; nil where neither is set.
  static func path(_ environment: [String: String]) -> String? {
    func value(_ name: String) -> String? {
      // The base directory specification: "All paths … must be absolute", and others are ignored.
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    return (value("XDG_CACHE_HOME") ?? value("HOME").map { $0 + "/.cache" }).map {
      $0 + "/hybridkit"
    }
  }

  /// Why nothing can be kept in a folder of the cache.
  ///
  /// - Parameter number: the system's.
  /// - Returns: `insufficientDiskSpace` where its disk or the user's share of it is full, else
  ///   `invalidConfiguration`; both name the folder.
  static func unusable(_ folder: String, _ number: Int32) -> HybridError {
    let details: JSONObject = ["folder": .string(folder), "errno": .int(Int(number))]
    let elsewhere = "set XDG_CACHE_HOME to another folder"
    guard number != ENOSPC, number != EDQUOT else {
      return HybridError(
        .insufficientDiskSpace, "the disk of the cache folder \(folder) is full",
        nextStep: "Free some space or \(elsewhere)", details: details, side: .local)
    }
    let (reason, step) =
      switch number {
      case EACCES, EPERM: ("permission is denied", "Let this user write to it")
      case EROFS: ("its file system is read-only", "Make it writable")
      case ENOTDIR, EEXIST, ELOOP:
        (
          "\(obstacle(above: folder) ?? "something on its path") is no folder",
          "Move that out of the way"
        )
      default: (unsafe String(cString: strerror(number)), "See what stands there")
      }
    return HybridError(
      .invalidConfiguration, "the cache folder \(folder) cannot be used: \(reason)",
      nextStep: "\(step), or \(elsewhere)", details: details, side: .local)
  }

  /// The first part of a path that stands in the way.
  private static func obstacle(above folder: String) -> String? {
    var place = folder.startIndex
    let path = folder + "/"
    while let slash = path[place...].dropFirst().firstIndex(of: "/") {
      let part = String(path[..<slash])
      if let entry = FolderReader.real.entry(part), entry != .folder { return part }
      place = slash
    }
    return nil
  }
}

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
}

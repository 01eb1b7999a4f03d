#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// What this process's environment says to the local side.
package enum ProcessEnvironment {
  /// The variables that are looked at: those that set threads, and those that name folders of models
  /// and the user's cache.
  package static var variables: [String: String] {
    var found: [String: String] = [:]
    for name in names {
      if let value = unsafe getenv(name) { found[name] = unsafe String(cString: value) }
    }
    return found
  }

  private static let names = [
    "HYBRID_THREADS", "LLAMA_ARG_THREADS", "HOME", "PREFIX", "HYBRID_MODELS_DIR", "XDG_DATA_HOME",
    "XDG_CACHE_HOME", "LLAMA_CACHE", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HOME",
  ]
}

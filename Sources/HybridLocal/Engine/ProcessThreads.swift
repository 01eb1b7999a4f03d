#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

extension ThreadSettings {
  /// The variables of this process's environment that set threads.
  package static var processEnvironment: [String: String] {
    var found: [String: String] = [:]
    for name in ["HYBRID_THREADS", "LLAMA_ARG_THREADS"] {
      if let value = unsafe getenv(name) { found[name] = unsafe String(cString: value) }
    }
    return found
  }
}

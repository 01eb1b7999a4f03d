internal import HybridCore
internal import HybridRemote

/// What is at work, for `hybrid --version` and `hybrid doctor`.
struct Versions: Sendable, Hashable {
  /// HybridKit's own.
  let sdk: String
  /// llama.cpp's; nil in a build without it.
  let llama: String?
  let curl: String
  /// The TLS library's, by its own name; nil where libcurl has none.
  let tls: String?

  static var current: Versions {
    Versions(
      sdk: "0.1.0", llama: LocalSetup.engineVersion, curl: CurlTransport.version,
      tls: CurlTransport.tlsVersion)
  }

  var text: String {
    """
    hybrid \(sdk)
    llama.cpp \(llama ?? "none: built without LocalLlama")
    libcurl \(curl)
    TLS \(tls ?? "none")

    """
  }

  var json: JSONValue {
    [
      "hybrid": .string(sdk), "llama.cpp": .optional(llama), "libcurl": .string(curl),
      "tls": .optional(tls),
    ]
  }
}

private import CHybridCurl
internal import HybridCore

/// The libcurl that this process runs, which may be another than the one it was built against.
struct CurlLibrary: Sendable, Hashable {
  /// As libcurl numbers them, a byte each: `0x075801` is 7.88.1.
  var number: UInt32

  /// False for one built without TLS: it cannot speak https.
  var hasTLS: Bool

  static let running = CurlLibrary(
    number: hybrid_curl_version_number(), hasTLS: unsafe hybrid_curl_tls_version() != nil)

  /// The first with `CURLOPT_QUICK_EXIT` (7.87); `CURLOPT_PREREQFUNCTION`, by which addresses are
  /// checked before anything is sent, is older.
  static let oldest = hybrid_curl_oldest_version_number()

  /// Why it cannot serve a request; nil where it can.
  func refusal(isSecure: Bool) -> HybridError? {
    if number < Self.oldest {
      let version = Self.text(number)
      let oldest = Self.text(Self.oldest)
      return HybridError(
        .internal, "libcurl \(version) is older than HybridKit needs",
        nextStep: "Install libcurl \(oldest) or later",
        details: ["version": .string(version), "oldest": .string(oldest)], side: .remote)
    }
    if isSecure, !hasTLS {
      return HybridError(
        .internal, "this libcurl was built without TLS and cannot speak https",
        nextStep: "Install a libcurl with TLS", side: .remote)
    }
    return nil
  }

  private static func text(_ number: UInt32) -> String {
    "\(number >> 16 & 0xff).\(number >> 8 & 0xff).\(number & 0xff)"
  }
}

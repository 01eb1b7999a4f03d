internal import HybridCore

/// A base URL that passed the rules for gateways.
struct GatewayAddress: Sendable, Hashable {
  /// The base URL, `/v1` included, without a slash at its end.
  let url: HTTPURL

  /// - Parameter allowsHTTP: permits http to other machines than this one.
  /// - Throws: `invalidConfiguration`.
  init(_ text: String, allowsHTTP: Bool) throws(HybridError) {
    var url = try HTTPURL(text)
    while url.path.hasSuffix("/") { url.path.removeLast() }
    if url.isLinkLocalOrMetadata {
      throw .badURL(
        "names a link-local address or a cloud machine's metadata service",
        nextStep: "Give the gateway's own address")
    }
    if url.address?.isUnspecified == true {
      throw .badURL("names no host", nextStep: "For this machine write 127.0.0.1")
    }
    if !url.isSecure, !url.isLoopback, !allowsHTTP {
      throw .badURL(
        "would send prompts and keys unencrypted to \(url.host)",
        nextStep: "Use https, or allow http explicitly (--allow-http)")
    }
    self.url = url
  }

  var origin: String { url.origin }

  /// The URL of a path below the base, as in `/chat/completions`.
  func url(_ path: String) -> String {
    url.origin + url.path + path
  }
}

extension HTTPURL {
  /// True for addresses that hand out a machine's own credentials, by number or by name.
  var isLinkLocalOrMetadata: Bool {
    if let address { return address.isLinkLocalOrMetadata }
    return ["metadata.google.internal", "metadata.goog", "instance-data.ec2.internal"]
      .contains(name)
  }
}

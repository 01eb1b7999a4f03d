extension CurlTransport {
  /// What holds for every connection of a transport.
  ///
  /// Certificates are always verified; there is no way to leave that out. Files are read when a
  /// connection is made, so that a renewed certificate counts from the next connection on.
  public struct Options: Sendable, Hashable {
    /// A file of trusted certificates in PEM form: those of a private authority, or one that signed
    /// itself. No others are trusted then. nil: libcurl's own default.
    public var certificates: String?

    /// Where not empty, the gateway's public key must be one of these, besides all other checks.
    /// Pin a spare one, too: a gateway whose key changes cannot be reached otherwise.
    public var pins: [PublicKeyPin] = []

    /// Shown to gateways that ask for one. nil: none.
    public var clientCertificate: ClientCertificate?

    /// The oldest version of TLS that is spoken.
    public var minimumTLS = TLSVersion.tls12

    /// A proxy's URL; empty: none, whatever the environment says; nil: the environment's
    /// (`https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`). This machine itself is never asked
    /// for through a proxy.
    public var proxy: String?

    public init(certificates: String? = nil, proxy: String? = nil) {
      self.certificates = certificates
      self.proxy = proxy
    }

    /// The certificates that `SSL_CERT_FILE` or `CURL_CA_BUNDLE` names, else the system's.
    public static var system: Options {
      Options(certificates: CertificateBundle.path(environment: ProcessEnvironment.value))
    }
  }
}

/// A version of TLS. Older ones than these are not spoken at all.
public enum TLSVersion: String, Sendable, Hashable, CaseIterable {
  case tls12 = "1.2"
  case tls13 = "1.3"
}

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The file of trusted certificates.
enum CertificateBundle {
  /// Where systems keep it: Debian, Fedora, openSUSE, Alpine.
  static let usualPaths = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
  ]

  /// `SSL_CERT_FILE`, then `CURL_CA_BUNDLE`, then the first of the usual paths that can be read.
  ///
  /// A path that the environment names is taken as it is: that it cannot be read must be an error,
  /// not a silent change of what is trusted. nil: libcurl's own default.
  static func path(
    environment: (String) -> String?, isReadable: (String) -> Bool = isReadable
  ) -> String? {
    for name in ["SSL_CERT_FILE", "CURL_CA_BUNDLE"] {
      if let path = environment(name), !path.isEmpty { return path }
    }
    return usualPaths.first(where: isReadable)
  }

  static func isReadable(_ path: String) -> Bool {
    unsafe access(path, R_OK) == 0
  }
}

/// The environment of this process.
enum ProcessEnvironment {
  static func value(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}

internal import HybridCore

/// A certificate by which a client proves to the gateway who it is.
public struct ClientCertificate: Sendable, Hashable {
  /// The certificate in PEM form; those that lead to its authority may follow it.
  public var certificate: String

  /// Its private key in PEM form, without a passphrase.
  public var key: String

  public init(certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
  }

  /// - Throws: `invalidConfiguration` for a file that cannot be read, naming it.
  func checked() throws(HybridError) {
    for (what, path) in [("client certificate", certificate), ("client certificate's key", key)]
    where !CertificateBundle.isReadable(path) {
      throw HybridError(
        .invalidConfiguration, "the \(what) \(path) cannot be read",
        nextStep: "Correct the path or the file's permissions", details: ["path": .string(path)],
        side: .remote)
    }
  }

  /// libcurl read the files and could not use them.
  ///
  /// - Parameter text: libcurl's own words.
  func refused(text: String) -> HybridError {
    // Of a key it says the same for one that is no key and for one of another certificate.
    let isKey = text.contains("private key") || text.contains("Private key")
    let message =
      isKey
      ? "the key \(key) cannot be used with the client certificate \(certificate)"
      : "the client certificate \(certificate) cannot be used"
    let nextStep =
      isKey
      ? "Give the certificate's own key in PEM form, without a passphrase"
      : "Give a certificate in PEM form"
    return HybridError(
      .invalidConfiguration, message, nextStep: nextStep,
      details: ["path": .string(isKey ? key : certificate), "curl": .string(text)], side: .remote)
  }
}

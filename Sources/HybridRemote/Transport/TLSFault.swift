public import HybridCore

/// Why no encrypted connection came about. In the `details` of an error with the code `tls`, as `tls`.
///
/// None of these is tried again: the next try would meet the same certificate. A handshake that stalls
/// (`timeout.connect`) or is cut off (`connection.reset`) is none of them, and has `handshake` in its
/// details as `phase`.
public struct TLSFault: RawRepresentable, Sendable, Hashable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public static let expired = TLSFault(rawValue: "expired")
  public static let notYetValid = TLSFault(rawValue: "notYetValid")
  /// The certificate is for other hosts.
  public static let wrongName = TLSFault(rawValue: "wrongName")
  public static let unknownAuthority = TLSFault(rawValue: "unknownAuthority")
  public static let selfSigned = TLSFault(rawValue: "selfSigned")
  /// The certificate is not trusted for some other reason.
  public static let untrusted = TLSFault(rawValue: "untrusted")
  /// The certificate is trusted, and its public key is none of the pinned ones.
  public static let wrongPin = TLSFault(rawValue: "wrongPin")
  /// The gateway speaks only versions older than the oldest allowed.
  public static let version = TLSFault(rawValue: "version")
  /// The gateway asks for a client certificate, or for another one.
  public static let clientCertificate = TLSFault(rawValue: "clientCertificate")
  /// What answers does not speak TLS.
  public static let notTLS = TLSFault(rawValue: "notTLS")
  /// The handshake failed in some other way.
  public static let handshake = TLSFault(rawValue: "handshake")
  /// The file of trusted certificates cannot be read.
  public static let authorities = TLSFault(rawValue: "authorities")
}

extension HybridError {
  /// nil for an error that is not of TLS.
  public var tlsFault: TLSFault? {
    code == .tls ? details["tls"]?.string.map(TLSFault.init(rawValue:)) : nil
  }
}

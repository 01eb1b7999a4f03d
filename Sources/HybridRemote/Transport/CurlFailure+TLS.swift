internal import CHybridCurl
internal import HybridCore

/// libcurl's failures of TLS ▶ which one it was, and what to do about it.
extension CurlFailure {
  /// - Parameters:
  ///   - text: libcurl's own words, which hold OpenSSL's.
  ///   - verifyResult: OpenSSL's number for what is wrong with the certificate, or 0.
  /// - Returns: nil where the peer cut the handshake off: that is no fault of TLS.
  static func tlsFault(
    _ outcome: hybrid_curl_outcome, text: String, verifyResult: Int32
  ) -> TLSFault? {
    switch outcome {
    case HYBRID_CURL_PIN: return .wrongPin
    case HYBRID_CURL_CA_FILE: return .authorities
    case HYBRID_CURL_CERTIFICATE: return certificateFault(text, verifyResult)
    default: return handshakeFault(text)
    }
  }

  /// By the numbers of OpenSSL's `x509_vfy.h`. Another TLS library has none, or others.
  private static func certificateFault(_ text: String, _ verifyResult: Int32) -> TLSFault {
    // libcurl compares the names itself, after all else was found good.
    if text.contains("subject name") { return .wrongName }
    return switch verifyResult {
    case 9: .notYetValid
    case 10: .expired
    case 18: .selfSigned
    case 2, 19, 20, 21: .unknownAuthority
    case 62, 64: .wrongName
    default: .untrusted
    }
  }

  private static func handshakeFault(_ text: String) -> TLSFault? {
    func says(_ words: String...) -> Bool { words.contains { text.contains($0) } }
    if says("unexpected eof", "SSL_ERROR_SYSCALL", "reset by peer", "Broken pipe") { return nil }
    // What a server has to say about a certificate is about the client's.
    if says("alert certificate required", "alert bad certificate", "alert unknown ca") {
      return .clientCertificate
    }
    if says("protocol version", "unsupported protocol", "no protocols available") {
      return .version
    }
    if says("wrong version number", "packet length too long", "record layer failure") {
      return .notTLS
    }
    return .handshake
  }

  /// True for a failure after the handshake that the other side's TLS told: since TLS 1.3 a server
  /// reads the client's certificate after it.
  static func isAlert(_ text: String) -> Bool {
    text.contains("SSL routines") && text.contains(" alert ")
  }

  static func words(
    _ fault: TLSFault, url: HTTPURL, options: CurlTransport.Options
  ) -> (message: String, nextStep: String) {
    let origin = url.origin
    let certificate = "the certificate of \(origin)"
    switch fault {
    case .expired:
      return (
        "\(certificate) has expired", "Have it renewed, or correct this machine's clock"
      )
    case .notYetValid:
      return (
        "\(certificate) is not valid yet", "Correct this machine's clock, or the certificate"
      )
    case .wrongName:
      return (
        "\(certificate) is for another name than \(url.host)",
        "Ask for the gateway by a name that its certificate holds"
      )
    case .unknownAuthority:
      return (
        "\(certificate) comes from an authority that is not trusted",
        "Name its authority's file in SSL_CERT_FILE or the options, and have the gateway send the "
          + "whole chain"
      )
    case .selfSigned:
      return (
        "\(certificate) is signed by itself alone",
        "Name its own file in SSL_CERT_FILE or the options if it is to be trusted"
      )
    case .wrongPin:
      return (
        "the public key of \(origin) is none of those that are pinned",
        "Pin the new key if it was changed on purpose; else somebody stands in between"
      )
    case .version:
      return (
        "\(origin) does not speak TLS \(options.minimumTLS.rawValue) or later",
        "Have the gateway's TLS brought up to date"
      )
    case .clientCertificate:
      let isGiven = options.clientCertificate != nil
      return (
        "\(origin) \(isGiven ? "does not take the client certificate" : "asks for a client certificate")",
        "Give one that the gateway's authority has signed, and that has not expired"
      )
    case .notTLS:
      return ("what answers at \(origin) does not speak TLS", "Check the gateway's port")
    case .authorities:
      let path = options.certificates.map { " \($0)" } ?? ""
      return (
        "the file of trusted certificates\(path) cannot be read",
        "Correct SSL_CERT_FILE, CURL_CA_BUNDLE or the options, or install the system's CA "
          + "certificates"
      )
    case .untrusted:
      return (
        "\(certificate) is not trusted",
        "Correct the certificate, or name its authority's file in SSL_CERT_FILE"
      )
    default:
      return (
        "the TLS handshake with \(origin) failed", "Look at details.curl for OpenSSL's own words"
      )
    }
  }
}

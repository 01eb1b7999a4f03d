internal import CHybridCurl
internal import HybridCore

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// libcurl's outcomes ▶ typed errors.
enum CurlFailure {
  /// - Parameters:
  ///   - number: libcurl's own for the outcome; kept in `details` where nothing else says what it was.
  ///   - text: libcurl's own words; kept in `details`, never with more than a host and a number.
  ///   - errno: the system's reason, or 0.
  ///   - proxyStatus: the status with which a proxy refused, or 0.
  ///   - verifyResult: OpenSSL's number for what is wrong with the certificate, or 0.
  static func error(
    _ outcome: hybrid_curl_outcome, number: Int32, url: HTTPURL, text: String, errno: Int32,
    proxyStatus: Int, verifyResult: Int32 = 0, options: CurlTransport.Options = .init()
  ) -> HybridError {
    if outcome == HYBRID_CURL_CLIENT_CERTIFICATE, let client = options.clientCertificate {
      return client.refused(text: text)
    }
    var (code, message, nextStep) = kind(outcome, url: url, errno: errno)
    var fault: TLSFault?
    var isCut = false
    if code == .tls || outcome == HYBRID_CURL_BROKEN && isAlert(text) {
      fault = tlsFault(outcome, text: text, verifyResult: verifyResult)
      if let fault {
        (message, nextStep) = words(fault, url: url, options: options)
        code = .tls
      } else {
        isCut = true
        code = .connectionReset
        message = "\(url.origin) cut the TLS handshake off"
        nextStep = "Try again; if it recurs look at the gateway's log and what stands before it"
      }
    }
    if proxyStatus >= 300 {
      code = .connectionProxy
      message = "the proxy refused to connect to \(url.origin) with status \(proxyStatus)"
      nextStep = "Check the proxy's settings and permissions"
    }
    var details: JSONObject = ["origin": .string(url.origin)]
    if !text.isEmpty { details["curl"] = .string(text) }
    if let fault, code == .tls { details["tls"] = .string(fault.rawValue) }
    let phase: ConnectPhase? =
      switch outcome {
      case HYBRID_CURL_DNS: .lookup
      case HYBRID_CURL_CONNECT: .connect
      default: isCut ? .handshake : nil
      }
    if let phase { details["phase"] = .string(phase.rawValue) }
    if code == .internal { details["curlCode"] = .int(Int(number)) }
    if errno != 0 { details["errno"] = .int(Int(errno)) }
    return HybridError(code, message, nextStep: nextStep, details: details, side: .remote)
  }

  private static func kind(
    _ outcome: hybrid_curl_outcome, url: HTTPURL, errno: Int32
  ) -> (ErrorCode, String, String) {
    let origin = url.origin
    switch outcome {
    case HYBRID_CURL_DNS:
      return (
        .connectionDNS, "the name \(url.host) has no address",
        "Check the host's spelling and this machine's name look-up"
      )
    case HYBRID_CURL_PROXY:
      return (
        .connectionProxy, "the proxy on the way to \(origin) failed", "Check the proxy's settings"
      )
    case HYBRID_CURL_CONNECT:
      return connection(origin: origin, errno: errno)
    case HYBRID_CURL_TIMEOUT:
      return (
        .timeoutConnect, "\(origin) did not take a connection in time",
        "Check that the gateway runs and can be reached"
      )
    case HYBRID_CURL_TLS, HYBRID_CURL_CERTIFICATE, HYBRID_CURL_PIN, HYBRID_CURL_CA_FILE,
      HYBRID_CURL_CLIENT_CERTIFICATE:
      let (message, nextStep) = words(.handshake, url: url, options: CurlTransport.Options())
      return (.tls, message, nextStep)
    case HYBRID_CURL_PARTIAL:
      return (
        .truncated, "\(origin) ended the response before its announced length",
        "Try again; if it recurs look at the gateway and the proxies before it"
      )
    case HYBRID_CURL_EMPTY:
      return (
        .connectionReset, "\(origin) closed the connection without a response",
        "Try again; if it recurs look at the gateway's log"
      )
    case HYBRID_CURL_BROKEN:
      return (
        .connectionReset, "the connection to \(origin) broke",
        "Try again; if it recurs look at the gateway's log"
      )
    case HYBRID_CURL_NOT_HTTP:
      return (
        .notHTTP, "what answers at \(origin) does not speak HTTP",
        "Check the gateway's host and port"
      )
    case HYBRID_CURL_URL:
      return (.invalidConfiguration, "libcurl cannot read the gateway's URL", "Correct the URL")
    case HYBRID_CURL_TOO_LARGE:
      return (
        .tooLarge, "\(origin) sent a header line longer than libcurl takes",
        "Check that the URL is a gateway's"
      )
    default:
      return (
        .internal, "libcurl failed on the way to \(origin)",
        "Look at details.curl for its own words"
      )
    }
  }

  private static func connection(
    origin: String, errno: Int32
  ) -> (ErrorCode, String, String) {
    switch errno {
    case ECONNREFUSED:
      (
        .connectionRefused, "\(origin) refuses connections",
        "Start the gateway, or correct its host and port"
      )
    case ETIMEDOUT:
      (
        .timeoutConnect, "\(origin) did not take a connection in time",
        "Check that the gateway runs and can be reached"
      )
    case ECONNRESET:
      (
        .connectionReset, "\(origin) reset the connection",
        "Try again; if it recurs look at the gateway's log"
      )
    default:
      (
        .connectionUnreachable, "no way leads to \(origin)",
        "Check this machine's network and the gateway's host and port"
      )
    }
  }

  /// A limit passed.
  ///
  /// - Parameter phase: where the way to the gateway stood then.
  static func timeout(
    _ limit: TransferClock.Limit, url: HTTPURL, phase: ConnectPhase
  ) -> HybridError {
    let time = "\(limit.length.inSeconds) s"
    let (message, nextStep) =
      switch limit.code {
      case .timeoutConnect:
        switch phase {
        case .lookup:
          (
            "the name \(url.host) was not found within \(time)",
            "Check this machine's name look-up"
          )
        case .connect:
          (
            "\(url.origin) did not take a connection within \(time)",
            "Check that the gateway runs and can be reached"
          )
        case .handshake:
          (
            "\(url.origin) did not finish its TLS handshake within \(time)",
            "Check that the port speaks TLS, and the gateway's load"
          )
        }
      case .timeoutFirstByte:
        (
          "\(url.origin) sent nothing of its answer within \(time)",
          "Check the gateway's load, or raise the first-byte limit"
        )
      case .timeoutIdle:
        (
          "\(url.origin) sent nothing more for \(time)",
          "Check the gateway's load, or raise the idle limit"
        )
      default:
        (
          "\(url.origin) had not finished after \(time)",
          "Ask for fewer tokens, or raise the total limit or the deadline"
        )
      }
    var details: JSONObject = [
      "origin": .string(url.origin), "limit": .seconds(limit.length),
    ]
    if limit.code == .timeoutConnect { details["phase"] = .string(phase.rawValue) }
    return HybridError(limit.code, message, nextStep: nextStep, details: details, side: .remote)
  }
}

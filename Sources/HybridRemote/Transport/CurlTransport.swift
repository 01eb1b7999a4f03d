private import CHybridCurl
public import HybridCore

/// HTTP by the system's libcurl: one thread, made by the first request, owns every connection.
///
/// Connections are kept and used again; over TLS, requests share one by HTTP/2. Redirects are handed
/// back as they are. Environment variables for proxies apply, except towards this machine itself.
public final class CurlTransport: Transport {
  private let loop: CurlLoop
  private let library: CurlLibrary
  private let clientCertificate: ClientCertificate?

  /// Opens nothing; costs nothing before the first request.
  public convenience init(options: Options = .system) {
    self.init(loop: CurlLoop(options: options))
  }

  init(loop: CurlLoop, library: CurlLibrary = .running) {
    self.loop = loop
    self.library = library
    clientCertificate = loop.options.clientCertificate
  }

  deinit {
    loop.stop()
  }

  public func send(_ request: TransportRequest) async throws(HybridError) -> TransportResponse {
    let url = try HTTPURL(request.url)
    if let refusal = library.refusal(isSecure: url.isSecure) { throw refusal }
    if url.isSecure { try clientCertificate?.checked() }
    let (channel, cancel, finish) = try loop.start(request, url: url)
    guard case .head(let head, let phases) = try await channel.next() else {
      throw HybridError(
        .connectionReset, "\(url.origin) closed the connection without a response",
        nextStep: "Try again; if it recurs look at the gateway's log", side: .remote)
    }
    return TransportResponse(
      status: head.status, headers: head.headers, version: head.version, phases: phases,
      body: ResponseBody(
        // The transport, and with it the thread, lives as long as a body is read.
        next: { [self] () async throws(HybridError) in
          defer { withExtendedLifetime(self) {} }
          guard case .bytes(let bytes) = try await channel.next() else { return nil }
          return bytes
        },
        cancel: cancel, finish: finish))
  }

  /// The version of libcurl that runs, as in `7.88.1`.
  public static var version: String {
    unsafe String(cString: hybrid_curl_version())
  }

  /// The TLS library that it uses, as in `OpenSSL/3.0.17`; nil where it has none.
  public static var tlsVersion: String? {
    unsafe hybrid_curl_tls_version().map { unsafe String(cString: $0) }
  }

  /// How many exchanges this process holds, of all transports; for tests of what is left behind.
  package static var liveTransfers: Int { Int(hybrid_curl_live_transfers()) }

  /// libcurl's own preparation, once in a process.
  static let isPrepared = hybrid_curl_prepare()
}

internal import CHybridCurl
internal import HybridCore

/// One exchange as libcurl runs it. Lives and dies on the loop's thread.
@safe final class CurlTransfer {
  /// What the consumer is sent: the head once, then bytes.
  enum Part: Sendable {
    case head(HeadReader.Head, ConnectionPhases)
    case bytes([UInt8])
  }

  let id: UInt64
  let url: HTTPURL
  /// Owned: freed by `deinit`, after the loop has removed it from the multi handle.
  private(set) var handle: OpaquePointer?
  private(set) var clock: TransferClock
  private let options: CurlTransport.Options
  private let channel: EventChannel<Part>
  private let now: () -> Moment
  private var reader = HeadReader()
  private var isConnected = false
  /// The consumer needs no more bytes.
  private var isDraining = false
  /// Why a callback ended the transfer.
  private var refusal: HybridError?

  init(
    id: UInt64, request: TransportRequest, url: HTTPURL, options: CurlTransport.Options,
    channel: EventChannel<Part>, start: Moment, now: @escaping () -> Moment
  ) throws(HybridError) {
    self.id = id
    self.url = url
    self.options = options
    self.channel = channel
    self.now = now
    clock = TransferClock(limits: request.limits, start: start)
    // Unretained: the loop keeps this object as long as libcurl keeps the handle.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe handle = unsafe hybrid_curl_transfer_create(
      hybrid_curl_callbacks(
        context: context, on_header: onHeader, on_body: onBody, on_connected: onConnected))
    guard let handle = unsafe handle, unsafe Self.configure(handle, request, url, options) else {
      throw HybridError(
        .internal, "libcurl could not prepare a request",
        nextStep: "Look for a shortage of memory or descriptors", side: .remote)
    }
  }

  deinit {
    if let handle = unsafe handle { unsafe hybrid_curl_transfer_free(handle) }
  }

  private static func configure(
    _ handle: OpaquePointer, _ request: TransportRequest, _ url: HTTPURL,
    _ options: CurlTransport.Options
  ) -> Bool {
    var isDone = unsafe hybrid_curl_set_url(handle, request.url)
    isDone = unsafe hybrid_curl_share_connections(handle, url.isSecure) && isDone
    if let body = request.body {
      isDone =
        unsafe body.withUnsafeBufferPointer {
          unsafe hybrid_curl_set_body(handle, $0.baseAddress, $0.count)
        } && isDone
    }
    if !(request.body != nil && request.method == "POST") {
      isDone = unsafe hybrid_curl_set_method(handle, request.method) && isDone
    }
    for field in request.headers.fields {
      let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
      isDone = unsafe hybrid_curl_add_header(handle, line) && isDone
    }
    // libcurl would wait a second for the server's consent to a body over a megabyte.
    isDone = unsafe hybrid_curl_add_header(handle, "Expect:") && isDone
    if request.headers["Accept-Encoding"] == nil {
      isDone = unsafe hybrid_curl_add_header(handle, "Accept-Encoding: identity") && isDone
    }
    isDone = unsafe configure(handle, options) && isDone
    if let proxy = url.isLoopback ? "" : options.proxy {
      isDone = unsafe hybrid_curl_set_proxy(handle, proxy) && isDone
    }
    return isDone
  }

  private static func configure(_ handle: OpaquePointer, _ options: CurlTransport.Options) -> Bool {
    var isDone = unsafe hybrid_curl_require_tls13(handle, options.minimumTLS == .tls13)
    if let path = options.certificates {
      isDone = unsafe hybrid_curl_set_ca_file(handle, path) && isDone
    }
    if !options.pins.isEmpty {
      let pins = options.pins.map(\.description).joined(separator: ";")
      isDone = unsafe hybrid_curl_set_pins(handle, pins) && isDone
    }
    if let client = options.clientCertificate {
      isDone =
        unsafe hybrid_curl_set_client_certificate(handle, client.certificate, client.key) && isDone
    }
    return isDone
  }

  // Called by libcurl.

  fileprivate func header(_ line: UnsafeBufferPointer<UInt8>) -> hybrid_curl_verdict {
    switch unsafe reader.read(line: line) {
    case .more:
      return HYBRID_CURL_CONTINUE
    case .complete(let head):
      let isClosed = channel.send(.head(head, phases)) == .closed
      return isClosed ? HYBRID_CURL_ABORT : HYBRID_CURL_CONTINUE
    case .tooLarge:
      refusal = HybridError(
        .tooLarge, "\(url.origin) sent more than \(ByteText.of(HeadReader.limit)) of headers",
        nextStep: "Check that the URL is a gateway's", side: .remote)
      return HYBRID_CURL_ABORT
    }
  }

  fileprivate func body(_ bytes: UnsafeBufferPointer<UInt8>) -> hybrid_curl_verdict {
    if isDraining { return HYBRID_CURL_CONTINUE }
    switch unsafe channel.send(.bytes(Array(bytes))) {
    case .more:
      clock.received(at: now())
      return HYBRID_CURL_CONTINUE
    case .full:
      clock.paused()
      return HYBRID_CURL_PAUSE
    case .closed:
      return HYBRID_CURL_ABORT
    }
  }

  fileprivate func connected(_ address: String) -> hybrid_curl_verdict {
    clock.connected(at: now())
    isConnected = true
    // A name that leads to a metadata service would hand out the machine's own credentials.
    guard let peer = IPAddress(address), peer.isLinkLocalOrMetadata else {
      return HYBRID_CURL_CONTINUE
    }
    refusal = HybridError(
      .invalidConfiguration,
      "\(url.host) leads to \(address), a link-local address or a cloud machine's metadata service",
      nextStep: "Give the gateway's own address", side: .remote)
    return HYBRID_CURL_ABORT
  }

  /// How long each phase took, as far as it has come.
  private var phases: ConnectionPhases {
    guard let handle = unsafe handle else { return ConnectionPhases() }
    return ConnectionPhases(unsafe hybrid_curl_get_times(handle))
  }

  // Called by the loop.

  /// Where a connection that is not ready yet stands.
  var phase: ConnectPhase {
    guard let handle = unsafe handle else { return .lookup }
    return ConnectPhase(unsafe hybrid_curl_get_times(handle))
  }

  func resume() {
    clock.resumed(at: now())
    if let handle = unsafe handle { unsafe hybrid_curl_resume(handle) }
  }

  /// Reads on for a moment, for nobody: at its response's end the connection can be used again.
  func drain() {
    isDraining = true
    channel.finish()
    clock.draining(at: now())
    if let handle = unsafe handle { unsafe hybrid_curl_resume(handle) }
  }

  /// Tells the consumer how libcurl ended it.
  ///
  /// - Parameter number: libcurl's own for the outcome.
  func ended(as outcome: hybrid_curl_outcome, number: Int32) {
    guard outcome != HYBRID_CURL_OK else { return channel.finish() }
    if let refusal { return channel.finish(throwing: refusal) }
    guard let handle = unsafe handle else { return }
    let text = unsafe String(cString: hybrid_curl_error_text(handle))
    let meaning = unsafe String(cString: hybrid_curl_meaning(number))
    // Before a connection nothing can have come that is too large: then it is memory.
    let outcome =
      outcome == HYBRID_CURL_TOO_LARGE && !isConnected ? HYBRID_CURL_OTHER : outcome
    channel.finish(
      throwing: CurlFailure.error(
        outcome, number: number, url: url, text: text.isEmpty ? meaning : text,
        errno: unsafe hybrid_curl_os_errno(handle),
        proxyStatus: Int(unsafe hybrid_curl_proxy_status(handle)),
        verifyResult: unsafe hybrid_curl_verify_result(handle), options: options))
  }

  func failed(_ error: HybridError) {
    channel.finish(throwing: error)
  }
}

private func transfer(_ context: UnsafeMutableRawPointer) -> CurlTransfer {
  unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
}

private func onHeader(
  _ context: UnsafeMutableRawPointer, _ bytes: UnsafePointer<UInt8>, _ count: Int
) -> hybrid_curl_verdict {
  unsafe transfer(context).header(UnsafeBufferPointer(start: bytes, count: count))
}

private func onBody(
  _ context: UnsafeMutableRawPointer, _ bytes: UnsafePointer<UInt8>, _ count: Int
) -> hybrid_curl_verdict {
  unsafe transfer(context).body(UnsafeBufferPointer(start: bytes, count: count))
}

private func onConnected(
  _ context: UnsafeMutableRawPointer, _ address: UnsafePointer<CChar>
) -> hybrid_curl_verdict {
  unsafe transfer(context).connected(String(cString: address))
}

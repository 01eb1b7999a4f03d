internal import HybridCore
private import Synchronization

/// One call to the gateway, prepared: everything but the key, which is asked for at each try.
struct GatewayCall: Sendable {
  var client: GatewayClient
  var url: String
  var method: String
  /// Makes the body; asked at each try, since a gateway may have refused an option meanwhile. None of
  /// its texts may come back in an error.
  var body: @Sendable (_ asksForUsage: Bool) -> JSONValue?
  /// Checked defaults and the caller's own, the caller's first.
  var headers: HTTPHeaders
  var accept: String
  var isStream: Bool
  /// The same for every try, so that a gateway can tell a repetition.
  var idempotencyKey: String
  var limits: TimeLimits
  let renewal = KeyRenewal()

  /// A response that is no failure, its body still to be read.
  struct Accepted: Sendable {
    var context: ResponseContext
    var body: ResponseBody
    /// What was read of the body to see what it is.
    var beginning: [UInt8]
    var isJSON: Bool
    /// nil for a call that does not stream.
    var firstEvent: FirstEventLimit?
  }

  /// One try: asks for the key, sends, and looks at the head of the response.
  func attempt(in loop: RetryLoop) async throws(GatewayFailure) -> Accepted {
    let asksForUsage = isStream && !client.quirks.refusesStreamOptions
    let body = body(asksForUsage).map { JSONWriter.compact.bytes($0) }
    let toSign = RequestToSign(method: method, url: url, body: body ?? [])
    let key: HTTPHeaders
    if let renewed = renewal.take() {
      key = renewed
    } else {
      key = try await self.key(for: toSign, until: loop.end)
    }
    // What was allowed when the try began may not be any more when a slow source has its key.
    if client.credentials.mayWait, let refusal = loop.context.permit?(loop.nextNumber) {
      throw GatewayFailure(refusal)
    }
    var protocolHeaders: HTTPHeaders = [
      "Accept": accept, "Accept-Encoding": "identity", "Idempotency-Key": idempotencyKey,
    ]
    if body != nil { protocolHeaders["Content-Type"] = "application/json" }
    let sent = HeaderRules.merged([headers, key, protocolHeaders])
    let begun = client.options.time.now()
    // "A call that must not stream has connect and total limits only."
    let transportLimits = TransportLimits(
      connect: limits.connect, firstByte: isStream ? limits.firstByte : nil,
      idle: isStream ? limits.idle : nil, total: max(.zero, loop.end - begun))
    let request = TransportRequest(
      method: method, url: url, headers: sent, body: body, limits: transportLimits)
    let response: TransportResponse
    loop.ledger.sent()
    do throws(HybridError) {
      response = try await client.transport.send(request)
    } catch {
      throw GatewayFailure(error)
    }
    loop.ledger.responded(status: response.status)
    let context = ResponseContext(
      url: url, origin: client.address.origin, status: response.status, headers: response.headers,
      redactor: Redactor(
        secrets: sent.fields.filter(\.holdsSecret).map(\.value),
        body: { [self] in self.body(asksForUsage) }),
      secondsSince1970: client.options.time.secondsSince1970())
    guard (200...299).contains(response.status) else {
      let limit = client.options.responseLimits.errorBody
      var failure = GatewayFailure(
        context, body: try await Self.beginning(of: response.body, limit: limit))
      if failure.mayLeaveOut {
        failure.mayLeaveOut = asksForUsage
        client.quirks.refuseStreamOptions()
      }
      if response.status == 401 {
        failure.hasNewKey = await renew(key, for: toSign, until: loop.end)
      }
      throw failure
    }
    let firstEvent =
      isStream
      ? FirstEventLimit(
        sent: begun, limits: limits, origin: client.origin, time: client.options.time) : nil
    let accepted = try await Self.accept(response, context, firstEvent)
    loop.ledger.answered()
    return accepted
  }

  /// Asks the source again, once in a call: it may have another key by now.
  private func renew(
    _ refused: HTTPHeaders, for request: RequestToSign, until end: Moment
  ) async -> Bool {
    guard client.credentials.mayChange, renewal.spend(),
      let other = try? await key(for: request, refused: refused, until: end), other != refused
    else { return false }
    renewal.keep(other)
    return true
  }

  private func key(
    for request: RequestToSign, refused: HTTPHeaders? = nil, until end: Moment
  ) async throws(GatewayFailure) -> HTTPHeaders {
    let credentials = client.credentials
    do throws(HybridError) {
      // A provider is the application's code: it may take its time, and not heed being cancelled.
      let timeout = HybridError(
        .timeoutTotal, "the source of the gateway's key (\(credentials.name)) took too long",
        nextStep: "Look at the application's key provider", side: .remote)
      guard credentials.mayWait else { return try await credentials.headers(for: request) }
      return try await withTimeBound(end, time: client.options.time, timeout: timeout) {
        () async throws(HybridError) in
        try await credentials.headers(for: request, refused: refused)
      }
    } catch {
      throw GatewayFailure(error)
    }
  }

  /// An error's body as far as it will be read. One that breaks off is told as far as it came.
  ///
  /// - Throws: `cancelled` alone: what the gateway said no longer matters then.
  private static func beginning(
    of body: ResponseBody, limit: Int
  ) async throws(GatewayFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var pieces = body.makeAsyncIterator()
    do throws(HybridError) {
      while bytes.count < limit, let piece = try await pieces.next() { bytes += piece }
    } catch {
      // Else the status says what failed; the rest of its explanation is lost.
      if error.code == .cancelled { throw GatewayFailure(error) }
    }
    body.cancel()
    return Array(bytes.prefix(limit))
  }

  /// Tells an event stream from a JSON document and from what is neither: by the content type where
  /// that is certain, else by the first byte.
  private static func accept(
    _ response: TransportResponse, _ context: ResponseContext, _ firstEvent: FirstEventLimit?
  ) async throws(GatewayFailure) -> Accepted {
    var accepted = Accepted(
      context: context, body: response.body, beginning: [], isJSON: false, firstEvent: firstEvent)
    let type = mediaType(response.headers["Content-Type"])
    let encoding = response.headers["Content-Encoding"].map(HeaderRules.trimmed)?.lowercased()
    let isPlain = encoding == nil || encoding == "" || encoding == "identity"
    if isPlain, type == "text/event-stream" { return accepted }

    var bytes: [UInt8] = []
    do throws(HybridError) {
      while bytes.allSatisfy(isSpace), bytes.count < 4096,
        let piece = try await response.body.next(by: bytes.isEmpty ? nil : firstEvent)
      {
        bytes += piece
      }
    } catch {
      throw GatewayFailure(error)
    }
    guard isPlain, type != "text/html", let kind = Beginning(bytes) else {
      response.body.cancel()
      throw GatewayFailure(.wrongContentType(context, body: bytes))
    }
    accepted.beginning = bytes
    accepted.isJSON = kind == .json
    return accepted
  }

  private enum Beginning {
    case json
    case events

    /// nil: neither.
    init?(_ bytes: [UInt8]) {
      let mark: [UInt8] = [0xef, 0xbb, 0xbf]
      let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
      switch text.first(where: { !isSpace($0) }) {
      case UInt8(ascii: "{"), UInt8(ascii: "["): self = .json
      // The fields of the format, a comment, the beginning of a byte-order mark, or nothing at all.
      case UInt8(ascii: "d"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "r"),
        UInt8(ascii: ":"), 0xef, nil:
        self = .events
      default: return nil
      }
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
  }

  private static func mediaType(_ value: String?) -> String? {
    value.map { HeaderRules.trimmed(String($0.prefix { $0 != ";" })).lowercased() }
  }
}

/// What a gateway was found not to take.
final class GatewayQuirks: Sendable {
  private let refused = Mutex(false)

  var refusesStreamOptions: Bool { refused.withLock { $0 } }

  func refuseStreamOptions() {
    refused.withLock { $0 = true }
  }
}

public import HybridCore

/// Carries one HTTP exchange. Knows nothing of chat, events, credentials or retries.
///
/// A conformer keeps the request's limits by a clock of its own choice and never tries twice.
public protocol Transport: Sendable {
  /// Sends a request and returns once the head of the response has come.
  ///
  /// A redirect, a 404 or a 500 is a response like any other.
  ///
  /// - Throws: `connection.…`, `tls`, `timeout.…` and `protocol.…` codes; `cancelled` as soon as the
  ///   calling task is cancelled.
  func send(_ request: TransportRequest) async throws(HybridError) -> TransportResponse
}

/// One HTTP request, complete: what stands here is what is sent.
public struct TransportRequest: Sendable, Hashable {
  /// `GET`, `POST`, …
  public var method: String

  /// An absolute http or https URL.
  public var url: String

  public var headers: HTTPHeaders

  /// nil: no body.
  public var body: [UInt8]?

  public var limits: TransportLimits

  public init(
    method: String, url: String, headers: HTTPHeaders = [:], body: [UInt8]? = nil,
    limits: TransportLimits = TransportLimits()
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.limits = limits
  }
}

/// How long each phase of an exchange may take. nil: without limit.
public struct TransportLimits: Sendable, Hashable {
  /// Name look-up, TCP and TLS together. Past it: `timeout.connect`.
  public var connect: Duration?

  /// From the connection's being ready to the first byte of the response's body, or its end.
  /// Past it: `timeout.firstByte`.
  public var firstByte: Duration?

  /// Between two arrivals of bytes, whatever they hold. Stands still while the consumer does not
  /// pull. Past it: `timeout.idle`.
  public var idle: Duration?

  /// From `send` to the last byte. Past it: `timeout.total`.
  public var total: Duration?

  public init(
    connect: Duration? = nil, firstByte: Duration? = nil, idle: Duration? = nil,
    total: Duration? = nil
  ) {
    self.connect = connect
    self.firstByte = firstByte
    self.idle = idle
    self.total = total
  }
}

/// The head of a response, and its body to be pulled.
public struct TransportResponse: Sendable {
  public var status: Int
  public var headers: HTTPHeaders
  public var version: HTTPVersion
  /// How long the way to the head took.
  public var phases: ConnectionPhases
  public var body: ResponseBody

  public init(
    status: Int, headers: HTTPHeaders = [:], version: HTTPVersion = .http11,
    phases: ConnectionPhases = ConnectionPhases(), body: ResponseBody
  ) {
    self.status = status
    self.headers = headers
    self.version = version
    self.phases = phases
    self.body = body
  }
}

/// A protocol version by its number, as in `HTTP/1.1`.
public struct HTTPVersion: RawRepresentable, Sendable, Hashable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public static let http10 = HTTPVersion(rawValue: "1.0")
  public static let http11 = HTTPVersion(rawValue: "1.1")
  public static let http2 = HTTPVersion(rawValue: "2")
  public static let http3 = HTTPVersion(rawValue: "3")
}

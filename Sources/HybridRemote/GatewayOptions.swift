public import HybridCore

/// How a ``GatewayClient`` goes about its calls.
public struct GatewayOptions: Sendable {
  /// Permits http to other machines than this one. Prompts and keys then travel unencrypted.
  public var allowsHTTP = false

  /// Sent with every request. A call's own headers and the key's come before them.
  public var headers = HTTPHeaders()

  /// nil: told by the address.
  public var profile: ServerProfile?

  /// Where a run's context names none.
  public var limits = TimeLimits()

  public var responseLimits = ResponseLimits()

  public var failures = FailureTable.standard
  public var retries = RetryPolicy.standard

  /// In which state each model of the gateway begins.
  public var health = TargetHealth()

  /// Trusted certificates, pinned keys, a client certificate, the oldest TLS, a proxy. Holds for the
  /// client's own transport, where `transport` is nil.
  public var connection = CurlTransport.Options.system

  /// True: a redirect to the same scheme, host and port is followed where it keeps the method (307, 308),
  /// at most 3 times in a try. Every other one is refused (`redirectRefused`), as all are by default. None
  /// is followed where credentials sign each request: a signature is of the first URL.
  public var followsSameOriginRedirects = false

  /// nil: a libcurl transport of the client's own.
  public var transport: (any Transport)?

  public var time: any TimeSource = SystemTimeSource()

  /// Where waits and request keys draw from.
  public var random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }

  public init() {}
}

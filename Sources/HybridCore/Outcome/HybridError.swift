/// Every failure that a caller of HybridKit sees.
///
/// The description names the cause and the next step. It never contains a prompt, an answer or a
/// key; ``partialText`` is the only place that holds model output, and no description shows it.
public struct HybridError: Error, Sendable, CustomStringConvertible {
  public var code: ErrorCode

  /// What happened, in one sentence without its full stop.
  public var message: String

  /// What the caller can do about it, in one sentence without its full stop.
  public var nextStep: String?

  /// The numbers and names behind it. An error that wraps another has the inner code under `code`.
  public var details: JSONObject

  /// The side that failed; nil where none ran.
  public var side: Side?

  /// What the gateway said; nil where none answered.
  public var gateway: GatewayResponseInfo?

  /// True once output had been handed to the caller: then no other side may take over.
  public var committed: Bool

  /// The text that had been handed out, or had arrived, before the failure.
  public var partialText: String?

  /// Every try made for the request, in order.
  public var attempts: [Attempt]

  public var underlying: (any Error)?

  public init(
    _ code: ErrorCode, _ message: String, nextStep: String? = nil, details: JSONObject = [:],
    side: Side? = nil, gateway: GatewayResponseInfo? = nil, committed: Bool = false,
    partialText: String? = nil, attempts: [Attempt] = [], underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.nextStep = nextStep
    self.details = details
    self.side = side
    self.gateway = gateway
    self.committed = committed
    self.partialText = partialText
    self.attempts = attempts
    self.underlying = underlying
  }

  public var description: String {
    let step = nextStep.map { ". \($0)." } ?? "."
    return "\(code.rawValue): \(message)\(step)"
  }

  /// The code of the failure at the bottom: the one that a wrapper names under `code` in its details,
  /// or this error's own. What stands in the details of any other error never passes for its code.
  public var causeCode: ErrorCode {
    guard code.isWrapper else { return code }
    return details["code"]?.string.map(ErrorCode.init(rawValue:)) ?? code
  }
}

/// The part of a gateway's refusal that can be acted on. Texts are cut and redacted.
public struct GatewayResponseInfo: Sendable, Hashable {
  public var status: Int?
  public var code: String?
  public var type: String?
  public var param: String?
  public var message: String?
  public var requestID: String?

  /// How long the gateway asked to be left alone.
  public var retryAfter: Duration?

  public init(
    status: Int? = nil, code: String? = nil, type: String? = nil, param: String? = nil,
    message: String? = nil, requestID: String? = nil, retryAfter: Duration? = nil
  ) {
    self.status = status
    self.code = code
    self.type = type
    self.param = param
    self.message = message
    self.requestID = requestID
    self.retryAfter = retryAfter
  }
}

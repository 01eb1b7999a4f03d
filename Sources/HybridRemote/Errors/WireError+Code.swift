internal import HybridCore

extension WireError {
  private static let quotaCodes: Set<String> = [
    "insufficient_quota", "billing_hard_limit_reached", "billing_not_active",
    "billing_limit_exceeded", "insufficient_credits", "insufficient_balance", "quota_exhausted",
    "credit_balance_too_low",
  ]

  private static let policyCodes: Set<String> = [
    "content_policy_violation", "content_filter", "content_policy", "moderation_blocked",
    "ResponsibleAIPolicyViolation",
  ]

  /// Types and codes that stand for a status where the real one is not told.
  private static let statuses: [String: Int] = [
    "invalid_request_error": 400, "bad_request": 400, "authentication_error": 401,
    "invalid_api_key": 401, "billing_error": 402, "permission_error": 403,
    "permission_denied": 403, "not_found_error": 404, "model_not_found": 404,
    "request_too_large": 413, "rate_limit_error": 429, "rate_limit_exceeded": 429,
    "too_many_requests": 429, "server_error": 500, "api_error": 500, "internal_error": 500,
    "internal_server_error": 500, "overloaded_error": 529, "unavailable_error": 503,
    "service_unavailable": 503,
  ]

  /// True for the words that gateways name failures by.
  static func isKnownName(_ text: String) -> Bool {
    quotaCodes.contains(text) || policyCodes.contains(text) || statuses[text] != nil
      || ContextNumbers.codes.contains(text)
  }

  /// What kind of failure it is.
  ///
  /// - Parameter status: the response's own. A success's says nothing about an error in its body.
  func errorCode(status own: Int) -> ErrorCode {
    let names = [code, type].compactMap(\.self)
    let status = own >= 400 ? own : self.status ?? names.lazy.compactMap { Self.statuses[$0] }.first
    if names.contains(where: Self.quotaCodes.contains) {
      return status == 402 ? .paymentRequired : .quotaExhausted
    }
    if names.contains(where: Self.policyCodes.contains) { return .contentPolicy }
    let mayBeContext = status.map { [400, 413, 422, 500].contains($0) } ?? true
    if mayBeContext, ContextNumbers.isContextLength(self) { return .contextLength }
    return status.flatMap(ErrorCode.init(httpStatus:)) ?? .server
  }
}

/// A failure's sentence and the way out, by its code.
struct GatewayWords {
  var message: String
  var nextStep: String

  init(code: ErrorCode, origin: String) {
    (message, nextStep) =
      switch code {
      case .authentication:
        ("\(origin) does not accept the key", "Check the key and that it is one for this gateway")
      case .permission:
        ("\(origin) does not permit this with the key given", "Check the key's permissions")
      case .paymentRequired:
        ("\(origin) wants to be paid first", "Settle the account, or use another gateway")
      case .quotaExhausted:
        ("the quota at \(origin) is spent", "Raise the quota, or use another gateway")
      case .rateLimited:
        ("\(origin) limits the rate of requests", "Wait, or send fewer requests")
      case .notFound:
        (
          "\(origin) knows no such path or model",
          "Check the model's name, and that the URL includes /v1"
        )
      case .contextLength:
        (
          "the conversation is longer than the gateway's context",
          "Shorten the conversation, or ask a model with a longer context"
        )
      case .contentPolicy:
        ("\(origin) refused the content by its policy", "Change the request")
      case .payloadTooLarge:
        (
          "the request is larger than \(origin) takes",
          "Send less, above all fewer or smaller images"
        )
      case .requestTimeout:
        ("\(origin) gave up waiting for the request", "Try again")
      case .conflict:
        ("\(origin) reports a conflict with another request", "Try again")
      case .tooEarly:
        ("\(origin) will not take the request yet", "Try again")
      case .overloaded:
        ("\(origin) is overloaded or not ready", "Try again later")
      case .server:
        ("\(origin) failed", "Try again; if it recurs look at the gateway's log")
      default:
        ("\(origin) refused the request", "Correct the request")
      }
  }
}

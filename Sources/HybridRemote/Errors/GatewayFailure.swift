internal import HybridCore

/// A failed try, with what the retry loop must know beside the error itself.
struct GatewayFailure: Error, Sendable {
  var error: HybridError
  /// The gateway's `x-should-retry`.
  var shouldRetry: Bool?
  /// True where it refused an option of the protocol's (`stream_options`) that can be left out.
  var mayLeaveOut = false
  /// True where the source of the key has another than the one that was refused.
  var hasNewKey = false

  init(_ error: HybridError) {
    self.error = error
  }
}

/// The head of a response, as far as its failures depend on it.
struct ResponseContext: Sendable {
  /// What was asked for.
  var url: String
  var origin: String
  var status: Int
  var headers: HTTPHeaders
  var redactor: Redactor
  /// The calendar's time, for a `Retry-After` that is a date.
  var secondsSince1970: Double

  var requestID: String? {
    let names = ["x-request-id", "request-id", "x-amzn-requestid", "cf-ray"]
    let value = names.lazy.compactMap { headers[$0] }.first { !$0.isEmpty }
    return value.map { redactor.redactName($0, limit: 128) }
  }

  var retryHint: Duration? {
    RetryHint.delay(
      retryAfterMilliseconds: headers["retry-after-ms"], retryAfter: headers["Retry-After"],
      date: headers["Date"], wallSeconds: secondsSince1970)
  }
}

extension GatewayFailure {
  /// A response whose status is no success.
  init(_ context: ResponseContext, body: [UInt8]) {
    if (300...399).contains(context.status) {
      self.init(.redirect(context))
      return
    }
    let parsed = (try? JSONReader.wire.read(body)).flatMap { WireError($0, isFailure: true) }
    // An error page: its beginning is all that can be told.
    let text = String(decoding: body.prefix(256), as: UTF8.self)
    let wire = parsed ?? WireError(text: text)
    self.init(context, wire: wire)
    mayLeaveOut = Self.refusesStreamOptions(context.status, wire)
  }

  /// An error in a body whatever its status: gateways report failures in streams that began well.
  init(_ context: ResponseContext, wire: WireError) {
    let code = wire.errorCode(status: context.status)
    self.init(HybridError(code, "", side: .remote))
    let identifier = { (text: String?) in
      text.flatMap { Self.identifier($0, context.redactor) }
    }
    let identifiers = [wire.code, wire.type, wire.param].compactMap(identifier)
    var info = GatewayResponseInfo(
      status: context.status, code: identifier(wire.code), type: identifier(wire.type),
      param: identifier(wire.param), message: wire.message.map { context.redactor.redact($0) },
      requestID: context.requestID,
      retryAfter: context.retryHint)
    if info.message?.isEmpty == true { info.message = nil }
    let words = GatewayWords(code: code, origin: context.origin)
    error.message =
      words.message + (context.status < 400 ? "" : " (status \(context.status))")
      + (identifiers.isEmpty ? "" : ", naming \(identifiers.joined(separator: ", "))")
    error.nextStep = words.nextStep
    if code == .invalidRequest, info.message != nil {
      error.nextStep? += "; gateway.message has the server's own words"
    }
    error.details = ["origin": .string(context.origin)]
    if code == .contextLength {
      // A number of the conversation's own may stand in the message, too.
      let numbers = ContextNumbers.numbers(wire)
      let known = { (number: Int?) in
        number.flatMap { context.redactor.isClean(String($0)) ? $0 : nil }
      }
      let (prompt, context) = (known(numbers.prompt), known(numbers.context))
      error.details["prompt"] = prompt.map { .int($0) }
      error.details["context"] = context.map { .int($0) }
      if let prompt, let context {
        error.message =
          "the gateway counts \(prompt) tokens, and its context holds \(context)"
      }
    }
    error.gateway = info
    shouldRetry = RetryHint.shouldRetry(context.headers["x-should-retry"])
  }

  /// True where a gateway refuses a request because of `stream_options`.
  static func refusesStreamOptions(_ status: Int, _ wire: WireError) -> Bool {
    guard status == 400 || status == 422 else { return false }
    return [wire.message, wire.param].contains { text in
      guard let text = text?.prefix(2048).lowercased() else { return false }
      return text.contains("stream_options") || text.contains("include_usage")
    }
  }

  /// A short word of the protocol's. Anything that could be a sentence, and so someone's text, is
  /// none; nor is what stands in the request, but for the names that gateways have for failures.
  private static func identifier(_ text: String, _ redactor: Redactor) -> String? {
    let isIdentifier = text.utf8.allSatisfy { byte in
      let isLetter = (97...122).contains(byte | 0x20)
      return isLetter || (48...57).contains(byte) || "_-.[]".utf8.contains(byte)
    }
    guard isIdentifier, (1...64).contains(text.utf8.count) else { return nil }
    return WireError.isKnownName(text) || redactor.isClean(text) ? text : nil
  }
}

extension HybridError {
  fileprivate static func redirect(_ context: ResponseContext) -> HybridError {
    // The target's path and query may hold anything: only where it leads is told.
    let location = context.headers["Location"]
    let url = try? HTTPURL(context.url)
    let origin = location.flatMap { location in
      url.flatMap { RedirectTarget(location, from: $0)?.origin }
    }
    let target = origin.flatMap { $0 == context.origin || context.redactor.isClean($0) ? $0 : nil }
    let place =
      if let target { target == context.origin ? " to a path of its own" : " to \(target)" } else {
        ""
      }
    return HybridError(
      .redirectRefused,
      "\(context.origin) redirects\(place) (status \(context.status)), which is not followed: keys "
        + "and prompts go only where they were meant to go",
      nextStep: "Give the gateway's final URL",
      details: ["origin": .string(context.origin), "target": .optional(target)],
      side: .remote,
      gateway: GatewayResponseInfo(status: context.status, requestID: context.requestID))
  }

  /// A success whose body is not what a gateway sends.
  static func wrongContentType(_ context: ResponseContext, body: [UInt8]) -> HybridError {
    let type = context.headers["Content-Type"].map { context.redactor.redact($0, limit: 64) }
    let encoding = context.headers["Content-Encoding"].map {
      context.redactor.redact($0, limit: 32)
    }
    let isPage = isWebPage(context, body)
    let what =
      encoding.map { "in the encoding \($0)" } ?? "of the type \(type ?? "that it does not name")"
    return HybridError(
      .wrongContentType,
      isPage
        ? "a web page answered in the place of \(context.origin) (a body \(what)): a login page or a "
          + "proxy stands before it, or the URL is not the gateway's"
        : "\(context.origin) answered with a body \(what)",
      nextStep: isPage
        ? "Log in to the network, or check the proxy and that the URL is the gateway's, /v1 included"
        : "Check that the URL is the gateway's, /v1 included, and that no login page or proxy "
          + "stands before it",
      details: ["origin": .string(context.origin), "contentType": .optional(type)], side: .remote,
      gateway: GatewayResponseInfo(
        status: context.status,
        message: context.redactor.redact(String(decoding: body.prefix(256), as: UTF8.self)),
        requestID: context.requestID))
  }

  /// By its type, or by its first tag where it calls itself something else.
  private static func isWebPage(_ context: ResponseContext, _ body: [UInt8]) -> Bool {
    let type = context.headers["Content-Type"].map(HeaderRules.trimmed)?.lowercased() ?? ""
    if type.hasPrefix("text/html") || type.hasPrefix("application/xhtml+xml") { return true }
    let start = String(decoding: body.prefix(512), as: UTF8.self).lowercased()
      .drop { $0.isWhitespace || $0 == "\u{feff}" }
    return ["<!doctype html", "<html", "<head", "<body", "<script", "<meta"].contains {
      start.hasPrefix($0)
    }
  }
}

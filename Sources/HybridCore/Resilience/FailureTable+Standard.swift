extension FailureTable {
  /// The table that holds unless a policy changes it.
  ///
  /// `contextFull` is no failure and has no row: it is a finish reason, and the text so far is kept.
  public static let standard = FailureTable([
    (
      FailureRow(
        .connection, "no connection: name not found, refused, unreachable, or not in time",
        retry: .onlyIfAlone, fallback: .always, countsForBreaker: true),
      [
        .connectionDNS, .connectionRefused, .connectionUnreachable, .connectionProxy,
        .timeoutConnect,
      ]
    ),
    (
      FailureRow(
        .reset, "the connection was reset before the first byte",
        retry: .once, fallback: .always, countsForBreaker: true),
      [.connectionReset]
    ),
    (
      // The request was sent: a second one would double the load of a gateway that is slow already.
      FailureRow(
        .timeout, "no answer in time: first byte, silence, or the total",
        fallback: .always, countsForBreaker: true),
      [.timeoutFirstByte, .timeoutIdle, .timeoutTotal]
    ),
    (
      FailureRow(
        .tls, "the gateway's certificate or encryption was refused",
        fallback: .ifPolicyAllowsTLS, countsForBreaker: true),
      [.tls]
    ),
    (
      FailureRow(
        .credentials, "the key is missing, wrong, or lacks a permission (401, 403)",
        fallback: .reported),
      [.authentication, .permission, .noCredentials]
    ),
    (
      FailureRow(
        .wrongRequest,
        "the request itself is wrong (400, 404, 410, 413, 415, 422, any other 4xx)"),
      [.invalidRequest, .notFound, .payloadTooLarge]
    ),
    (
      FailureRow(
        .paymentRequired, "the gateway wants to be paid first (402)",
        fallback: .always, coolDown: .long),
      [.paymentRequired]
    ),
    (
      FailureRow(
        .wrongProtocol,
        "not what a gateway sends: a redirect, a web page, an endless body, no HTTP",
        fallback: .reported, countsForBreaker: true),
      [.redirectRefused, .wrongContentType, .tooLarge, .notHTTP]
    ),
    (
      FailureRow(.configuration, "a setting or a file of the caller's is wrong"),
      [.invalidConfiguration, .invalidFile]
    ),
    (
      FailureRow(
        .contextLength, "the conversation is too long for this side",
        fallback: .ifOtherHasRoom),
      [.contextLength, .contextTooLong]
    ),
    (
      FailureRow(
        .server, "the gateway stumbled (408, 409, 425, 500, 502, 503, 504, 529, any other 5xx)",
        retry: .whilePatient, fallback: .always, countsForBreaker: true, coolDown: .hinted),
      [.requestTimeout, .conflict, .tooEarly, .server, .overloaded]
    ),
    (
      FailureRow(
        .rateLimit, "too many requests for now (429)",
        retry: .ifHintFits, fallback: .always, coolDown: .hintedOrShort, delays: .throttled),
      [.rateLimited]
    ),
    (
      FailureRow(
        .quota, "the quota or the balance is spent (429)",
        fallback: .always, coolDown: .long),
      [.quotaExhausted]
    ),
    (
      FailureRow(
        .refusal, "refused by a content policy",
        fallback: .ifPolicyAllowsRefusal),
      [.contentPolicy]
    ),
    (
      FailureRow(
        .brokenStream, "the answer was cut off or malformed before any of it was handed out",
        retry: .always, fallback: .always, countsForBreaker: true),
      [.truncated, .badEventStream, .badJSON]
    ),
    (
      FailureRow(
        .interrupted, "the answer was cut off after some of it was handed out",
        countsForBreaker: true),
      [.interrupted]
    ),
    (
      FailureRow(
        .localFailure, "the local model cannot be loaded or its engine failed",
        fallback: .always, localEffect: .modelFailed),
      [
        .modelNotFound, .modelFileInvalid, .modelUnsupported, .modelLoadFailed, .decodeFailed,
        .engineLost,
      ]
    ),
    (
      FailureRow(
        .localRefusal, "the side could not take this request when its turn came",
        fallback: .always),
      [
        .localBusy, .templateRejected, .insufficientMemory, .unsupportedFeature, .modelLoading,
      ]
    ),
    (
      FailureRow(.cancelled, "the caller stopped it"),
      [.cancelled]
    ),
    // Beyond the documentation's table: codes that no side's attempt ends with.
    (
      FailureRow(
        .notTried, "not tried: the gateway is being left alone",
        fallback: .always),
      [.breakerOpen]
    ),
    (
      // A gateway that was silent for long enough counts all the same: `FailureTable.outcome`.
      FailureRow(.deadline, "the request's own deadline has passed"),
      [.deadlineExceeded]
    ),
    (
      FailureRow(.noSide, "no side could run the request"),
      [.localRequired, .remoteUnavailable, .noSide]
    ),
    (unknown(), [.internal]),
  ])
}

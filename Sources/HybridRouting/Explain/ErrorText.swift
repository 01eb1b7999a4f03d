import HybridCore

/// What an error's code means and what to do about it: one row a code.
///
/// Codes that a check has too share that check's row of ``ReasonText``.
struct ErrorText: Sendable {
  let code: ErrorCode
  let meaning: String
  let nextStep: String

  private init(_ code: ErrorCode, _ meaning: String, _ nextStep: String) {
    self.code = code
    self.meaning = meaning
    self.nextStep = nextStep
  }

  static func known(_ code: ErrorCode) -> ErrorText? {
    table[code]
  }

  private static let table = Dictionary(uniqueKeysWithValues: rows.map { ($0.code, $0) })

  static let rows: [ErrorText] = noSideRows + eitherSideRows + localRows + gatewayRows + wireRows

  private static let noSideRows: [ErrorText] = [
    ErrorText(
      .localRequired, "the request must run locally and cannot; details.code says why",
      "explain the code in details.code"),
    ErrorText(
      .remoteUnavailable, "the request must run remotely and cannot; details.code says why",
      "explain the code in details.code"),
    ErrorText(
      .noSide, "neither side can take the request; details.local and details.remote say why",
      "explain the codes in the details"),
  ]

  private static let eitherSideRows: [ErrorText] = [
    ErrorText(
      .invalidConfiguration, "a setting cannot be used as it is",
      "correct the setting that the message names"),
    ErrorText(
      .invalidRequest,
      "the request is one that no side can answer, or the gateway calls it wrong (HTTP 400, 422 "
        + "and other 4xx)",
      "correct the field that the message names"),
    ErrorText(
      .invalidFile, "a messages or policy file cannot be read as what it should be",
      "correct the file at the place that the message names"),
    ErrorText(
      .deadlineExceeded, "the request's own deadline passed before the answer was whole",
      "give it more time, ask for fewer tokens, or a shorter prompt"),
    ErrorText(.cancelled, "the caller stopped the request", "nothing is to be done"),
    ErrorText(
      .interrupted,
      "a side failed after some of its answer had been handed out; no other side may take over",
      "use the partial text as what it is, or ask again"),
    ErrorText(
      .internal, "a fault of HybridKit's own",
      "report it with the message, which holds no prompt and no key"),
  ]

  private static let localRows: [ErrorText] = [
    ErrorText(
      .modelNotFound, "the local model's file is not there",
      "give a file that exists, or run Fixtures/bootstrap for the default one"),
    ErrorText(
      .modelFileInvalid, "the file is no model file, or it is damaged or hostile",
      "get the file anew and compare its SHA-256"),
    ErrorText(
      .modelUnsupported, "the model file is sound but cannot serve chat here",
      "use a chat model of an architecture that this llama.cpp knows"),
    ErrorText(
      .modelLoading, "the local model was still being loaded", "try again when it is loaded"),
    ErrorText(
      .modelLoadFailed, "the local model could not be loaded",
      "run hybrid doctor to see what is wrong with the model"),
    ErrorText(
      .insufficientMemory, "loading the local model needs more memory than there is",
      "free memory, raise the limit, use a smaller model or a shorter context"),
    ErrorText(
      .contextTooLong, "the prompt and the tokens kept for the answer exceed the local context",
      "shorten the prompt, ask for fewer tokens, or raise the context"),
    ErrorText(
      .templateRejected, "the local model's chat template cannot express the conversation",
      "give the messages in an order and with roles that the template allows"),
    ErrorText(
      .unsupportedFeature, "the request needs something that the side cannot do",
      "leave the feature out, or allow the other side"),
    ErrorText(.localBusy, "the local queue was full", "try again later"),
    ErrorText(
      .decodeFailed, "the local engine failed while it computed",
      "try again; if it comes back, check the machine's memory"),
    ErrorText(
      .engineLost,
      "the local engine is gone: its thread, or with a worker the process, has ended, or it was closed",
      "with a worker ask again, which starts another process; else restart the service and report it"
    ),
  ]

  private static let gatewayRows: [ErrorText] = [
    ErrorText(
      .noCredentials, "the gateway needs a key and the configured source yields none",
      "put the key where the configured source looks for it"),
    ErrorText(
      .authentication, "the gateway does not accept the key (HTTP 401)",
      "check the key and that it belongs to this gateway"),
    ErrorText(
      .permission, "the key may not do this (HTTP 403)",
      "use a key with the permission, or a model that this one may use"),
    ErrorText(
      .notFound, "the gateway knows no such model or path (HTTP 404, 410)",
      "check the model's name and that the URL ends in /v1"),
    ErrorText(
      .contextLength, "the gateway says that the conversation is too long for its model",
      "shorten the conversation, ask for fewer tokens, or name a model with a longer context"),
    ErrorText(
      .contentPolicy, "a content policy refused the request",
      "change the request, or set fallbackOnRefusal"),
    ErrorText(
      .payloadTooLarge, "the request's body is too large for the gateway (HTTP 413)",
      "send less"),
    ErrorText(
      .rateLimited, "the gateway had too many requests for now (HTTP 429)",
      "try again when the time it named is up"),
    ErrorText(
      .quotaExhausted, "the quota or the balance at the gateway is spent (HTTP 429)",
      "see to the account: waiting does not help"),
    ErrorText(
      .paymentRequired, "the gateway wants to be paid first (HTTP 402)", "see to the account"),
    ErrorText(
      .conflict, "the gateway was in a state that conflicts with the request (HTTP 409)",
      "try again"),
    ErrorText(
      .requestTimeout, "the gateway gave up waiting for the request (HTTP 408)", "try again"),
    ErrorText(
      .tooEarly, "the gateway would not risk a replayed request (HTTP 425)", "try again"),
    ErrorText(
      .server, "the gateway failed (HTTP 500, 502, 504 and other 5xx)",
      "try again later, or see the gateway's own log"),
    ErrorText(
      .overloaded, "the gateway is overloaded or away for now (HTTP 503, 529)",
      "try again later"),
    ErrorText(
      .redirectRefused,
      "the gateway sent the request elsewhere, and a key does not follow (HTTP 3xx)",
      "give the gateway's final URL; on a guest network, sign in first"),
  ]

  private static let wireRows: [ErrorText] = [
    ErrorText(
      .timeoutConnect, "no connection to the gateway in time", "check the network and the URL"),
    ErrorText(
      .timeoutFirstByte, "the gateway took the request and sent nothing in time",
      "raise the policy's limits.firstByte, or see why the gateway is slow"),
    ErrorText(
      .timeoutIdle, "the gateway fell silent in the middle of its answer",
      "raise the policy's limits.idle, or see why the gateway stalls"),
    ErrorText(
      .timeoutTotal, "the answer took longer than one call may",
      "raise the policy's limits.total, or ask for fewer tokens"),
    ErrorText(
      .connectionDNS, "the gateway's name has no address", "check the URL and the resolver"),
    ErrorText(
      .connectionRefused, "nothing listens at the gateway's address",
      "check the URL's port and that the gateway runs"),
    ErrorText(
      .connectionUnreachable, "there is no way to the gateway's address", "check the network"),
    ErrorText(
      .connectionReset, "the gateway closed the connection before the first byte", "try again"),
    ErrorText(
      .connectionProxy, "the proxy did not connect to the gateway", "check the proxy's settings"),
    ErrorText(
      .tls, "the gateway's certificate or encryption was refused",
      "check the URL's host name, the machine's certificates and its date"),
    ErrorText(
      .badEventStream, "the gateway's stream of events is malformed",
      "check that the URL is an OpenAI-compatible gateway's"),
    ErrorText(
      .badJSON, "the gateway's answer is not the JSON that it should be",
      "check that the URL is an OpenAI-compatible gateway's"),
    ErrorText(
      .truncated, "the answer ended without saying that it is whole",
      "ask again; if it comes back, see what stands between here and the gateway"),
    ErrorText(
      .tooLarge, "the answer is larger than any limit allows",
      "check that the URL is an OpenAI-compatible gateway's"),
    ErrorText(
      .wrongContentType, "not a gateway's answer but another page, such as a sign-in page",
      "check the URL; on a guest network, sign in first"),
    ErrorText(
      .notHTTP, "what listens at the gateway's address does not speak HTTP",
      "check the URL's port, and whether it should begin with https"),
    ErrorText(
      .breakerOpen, "the gateway failed too often of late and is left alone for now",
      "try again when the time is up, or see why the gateway fails"),
  ]
}

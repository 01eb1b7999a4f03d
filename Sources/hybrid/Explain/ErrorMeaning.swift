internal import HybridCore

/// What an error's code means and what its receiver can do, whatever the case at hand.
struct ErrorMeaning: Sendable, Hashable {
  let code: ErrorCode
  let meaning: String
  let nextStep: String

  init(_ code: ErrorCode, _ meaning: String, _ nextStep: String) {
    self.code = code
    self.meaning = meaning
    self.nextStep = nextStep
  }

  static func of(_ code: ErrorCode) -> ErrorMeaning? { all.first { $0.code == code } }

  static let all = general + local + answers + connections + commandLine

  private static let general: [ErrorMeaning] = [
    ErrorMeaning(
      .localRequired, "the request must run locally and cannot",
      "explain the code under details.code; it has the cause"),
    ErrorMeaning(
      .remoteUnavailable, "the request must run remotely and cannot",
      "explain the code under details.code; it has the cause"),
    ErrorMeaning(
      .noSide, "neither side can take the request",
      "explain the code under details.code; hybrid plan shows every check"),
    ErrorMeaning(
      .invalidConfiguration, "a setting is wrong: a policy, a gateway's URL, a header",
      "correct the setting that the message names"),
    ErrorMeaning(
      .invalidRequest, "the request itself is wrong, for any side",
      "correct what the message names; the same request fails again"),
    ErrorMeaning(
      .invalidFile, "a messages or policy file cannot be read as one",
      "correct the file at the line and column that the message names"),
    ErrorMeaning(
      .deadlineExceeded, "the request's deadline passed",
      "give it more time with --deadline, or ask for fewer tokens"),
    ErrorMeaning(.cancelled, "the caller stopped the request", "ask again"),
    ErrorMeaning(
      .interrupted, "the answer broke off after some of it had been handed out",
      "use the partial text or ask again; no other side may finish what one began"),
    ErrorMeaning(.internal, "a fault of HybridKit's own", "report it with the message"),
  ]

  private static let local: [ErrorMeaning] = [
    ErrorMeaning(
      .modelNotFound, "the local model file is not there",
      "see hybrid models for where it was looked for; Fixtures/bootstrap brings the default one"),
    ErrorMeaning(
      .modelFileInvalid, "the file is no GGUF model, or a damaged one",
      "bring the file again and compare its SHA-256"),
    ErrorMeaning(
      .modelUnsupported, "a sound model file that cannot chat here, such as an embedding model",
      "take a chat model of a supported architecture"),
    ErrorMeaning(.modelLoading, "the local model is still being loaded", "try again shortly"),
    ErrorMeaning(
      .modelLoadFailed, "llama.cpp could not load the model",
      "see hybrid doctor for memory and versions; it is tried again after a pause"),
    ErrorMeaning(
      .insufficientMemory, "the model needs more memory than there is",
      "free some, shorten --context, or take a smaller model"),
    ErrorMeaning(
      .contextTooLong, "the prompt and the answer's reserve do not fit the local context",
      "shorten the prompt, lower --max-tokens, or raise --context"),
    ErrorMeaning(
      .templateRejected, "the model's chat template cannot express the conversation",
      "change the roles or their order as the message says"),
    ErrorMeaning(
      .unsupportedFeature, "the request needs something that the local side cannot do",
      "leave it out, or let a gateway answer"),
    ErrorMeaning(
      .localBusy, "the local queue is full or too slow for the request", "try again later"),
    ErrorMeaning(
      .decodeFailed, "llama.cpp failed while it computed",
      "ask again; if it stays so, hybrid doctor shows versions and memory"),
    ErrorMeaning(.engineLost, "the engine's thread ended", "start the process anew"),
  ]

  private static let answers: [ErrorMeaning] = [
    ErrorMeaning(
      .noCredentials, "the gateway needs a key and its source yields none",
      "put the key into the file that --key-file or HYBRID_KEY_FILE names"),
    ErrorMeaning(
      .authentication, "the gateway does not know the key (401)", "check the key and its gateway"),
    ErrorMeaning(
      .permission, "the key lacks a permission (403)", "ask for it, or take another model"),
    ErrorMeaning(
      .notFound, "the gateway has no such address or model (404)",
      "check --gateway, with its /v1, and --gateway-model"),
    ErrorMeaning(
      .contextLength, "the conversation is too long for the gateway's model",
      "shorten it, or take a model with a longer context"),
    ErrorMeaning(
      .contentPolicy, "the gateway refused the content",
      "change the request, or set the policy's fallbackOnRefusal"),
    ErrorMeaning(.payloadTooLarge, "the request has too many bytes (413)", "shorten it"),
    ErrorMeaning(
      .rateLimited, "too many requests for now (429)",
      "wait as long as the gateway asked for, or let the local side answer"),
    ErrorMeaning(
      .quotaExhausted, "the gateway's quota or credit is spent (429)",
      "raise the quota; waiting does not help"),
    ErrorMeaning(
      .paymentRequired, "the gateway wants to be paid first (402)", "settle the account"),
    ErrorMeaning(.conflict, "the gateway is at odds with another request (409)", "ask again"),
    ErrorMeaning(.requestTimeout, "the gateway gave up waiting (408)", "ask again"),
    ErrorMeaning(.tooEarly, "the gateway wants the request later (425)", "ask again"),
    ErrorMeaning(.server, "the gateway failed (5xx)", "ask again later; its own log has the cause"),
    ErrorMeaning(.overloaded, "the gateway is overloaded (503, 529)", "ask again later"),
    ErrorMeaning(
      .redirectRefused, "the gateway sent the request elsewhere, which is refused (3xx)",
      "give the final URL to --gateway; a login page of the network does this too"),
  ]

  private static let connections: [ErrorMeaning] = [
    ErrorMeaning(
      .timeoutConnect, "no connection in time", "check the address, the network and the firewall"),
    ErrorMeaning(
      .timeoutFirstByte, "connected, but no answer began in time",
      "the gateway is slow or stuck: raise limits.firstByte in the policy if that is normal"),
    ErrorMeaning(
      .timeoutIdle, "the answer fell silent",
      "raise limits.idle in the policy if the gateway pauses that long"),
    ErrorMeaning(
      .timeoutTotal, "the answer took longer than allowed",
      "raise limits.total in the policy, or ask for fewer tokens"),
    ErrorMeaning(
      .connectionDNS, "the gateway's name is not known", "check the name and the network"),
    ErrorMeaning(
      .connectionRefused, "nothing listens at the gateway's address",
      "start the gateway, or check host and port"),
    ErrorMeaning(
      .connectionUnreachable, "no way to the gateway's network", "check the network and the route"),
    ErrorMeaning(.connectionReset, "the connection was cut", "ask again"),
    ErrorMeaning(
      .connectionProxy, "the proxy did not connect", "check HTTPS_PROXY, ALL_PROXY and NO_PROXY"),
    ErrorMeaning(
      .tls, "the gateway's certificate or encryption was refused",
      "check its certificate, the machine's clock and SSL_CERT_FILE"),
    ErrorMeaning(
      .badEventStream, "the answer is not a proper event stream", "check what stands in between"),
    ErrorMeaning(.badJSON, "the gateway sent malformed JSON", "check what stands in between"),
    ErrorMeaning(
      .truncated, "the answer ended without saying that it was complete",
      "ask again; the partial text is kept apart"),
    ErrorMeaning(.tooLarge, "the gateway sent more than a client takes", "check the gateway"),
    ErrorMeaning(
      .wrongContentType, "the answer is neither JSON nor an event stream, often a web page",
      "check that --gateway ends in the API's path; a login page of the network does this too"),
    ErrorMeaning(
      .breakerOpen, "the gateway failed too often of late and is left alone",
      "wait until it is tried again, or see why it fails"),
  ]

  private static let commandLine: [ErrorMeaning] = [
    ErrorMeaning(.usage, "the command line is wrong", "--help shows what is right"),
    ErrorMeaning(
      .invalidText, "an input is not UTF-8", "convert it, for example with iconv -t UTF-8"),
    ErrorMeaning(.outputClosed, "the reader of stdout went away", "nothing needs to be done"),
    ErrorMeaning(
      .outputFailed, "stdout cannot be written", "free some space or redirect it elsewhere"),
  ]
}

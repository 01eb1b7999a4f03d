public import HybridCore

/// A client of one OpenAI-compatible gateway. Useful alone, and the remote side of a `HybridChat`.
///
///     let client = try GatewayClient(
///       baseURL: "https://gateway.example/v1", model: "small", credentials: .file("/run/key"))
///     let completion = try await client.chat.completions.create(ChatRequest(prompt: "Why?"))
///
/// Making one opens nothing. One client keeps one set of connections, one breaker and one retry
/// budget for each model; share it.
public final class GatewayClient: RemoteSide {
  let address: GatewayAddress
  /// The model asked of the gateway by requests that name none.
  public let model: String?
  let credentials: Credentials
  let options: GatewayOptions
  let profile: ServerProfile
  let transport: any Transport
  let health: GatewayHealth
  let quirks = GatewayQuirks()
  private let headers: HTTPHeaders

  /// - Parameters:
  ///   - baseURL: with its `/v1`; a slash at the end does no harm.
  ///   - model: asked for where a request names none; nil: whichever the gateway serves by itself.
  /// - Throws: `invalidConfiguration` for a URL or a header that may not be used, and for a client
  ///   certificate that cannot be read.
  public init(
    baseURL: String, model: String? = nil, credentials: Credentials = .none,
    options: GatewayOptions = GatewayOptions()
  ) throws(HybridError) {
    address = try GatewayAddress(baseURL, allowsHTTP: options.allowsHTTP)
    headers = try HeaderRules.checked(options.headers)
    if case .named(let name) = credentials.header {
      _ = try HeaderRules.checked(HTTPHeaders.Field(name: name, value: ""))
    }
    self.model = model
    self.credentials = credentials
    self.options = options
    profile = options.profile ?? .forBaseURL(baseURL)
    if options.transport == nil { try options.connection.clientCertificate?.checked() }
    let transport = options.transport ?? CurlTransport(options: options.connection)
    self.transport =
      options.followsSameOriginRedirects && !credentials.signsRequests
      ? SameOriginRedirects(base: transport, time: options.time) : transport
    health = GatewayHealth(new: options.health)
  }

  /// Scheme, host and port.
  public var origin: String { address.origin }

  public func status(model: String?) async -> GatewayStatus {
    var credentials = credentials.status
    if credentials == .notNeeded, profile.requiresKey {
      credentials = .missing(source: self.credentials.name)
    }
    return GatewayStatus(
      origin: origin, credentials: credentials,
      availability: health.availability(of: target(model), at: options.time.now()),
      lacks: profile.lacks)
  }

  /// Says that the gateway cannot be reached, or can again. While it cannot, no call is made.
  public func setOffline(_ isOffline: Bool) {
    health.setOffline(since: isOffline ? options.time.now() : nil)
  }

  /// Streams the answer. Returns once the gateway has accepted the call.
  ///
  /// A failure before the first output is tried again as the failure table allows, also where the
  /// answer had begun.
  public func start(
    _ request: ChatRequest, in context: ExecutionContext
  ) async throws(HybridError) -> ExecutorStream {
    let run: GatewayRun<EventAssembly> = try run(request, in: context)
    try await run.start()
    return ExecutorStream(
      next: { () async throws(HybridError) in
        while let event = try await run.next() {
          if let event = event.telling(request.topLogProbs) { return event }
        }
        return nil
      }, cancel: { run.cancel() })
  }

  func run<Assembly>(
    _ request: ChatRequest, in context: ExecutionContext, headers: HTTPHeaders = [:]
  ) throws(HybridError) -> GatewayRun<Assembly> {
    let call = try call(request, in: context, headers: headers, isStream: true)
    return GatewayRun(
      call, choices: request.choices,
      loop: loop(for: request.model, in: context, limits: call.limits))
  }

  func loop(
    for model: String?, in context: ExecutionContext, limits: TimeLimits
  ) -> RetryLoop {
    RetryLoop(
      settings: RetryLoop.Settings(
        target: target(model), health: health, table: context.failures ?? options.failures,
        policy: options.retries, time: options.time, random: options.random),
      context: context, total: limits.total)
  }

  func call(
    _ request: ChatRequest, in context: ExecutionContext, headers own: HTTPHeaders, isStream: Bool
  ) throws(HybridError) -> GatewayCall {
    try request.validate()
    try requireSupport(for: request)
    if context.permit == nil { try Self.requireMayLeave(request) }
    if profile.requiresKey, case .none = credentials.source {
      throw .noCredentials(
        "none", "is not configured, and \(origin) requires a key",
        nextStep: "Name a key file, or set the gateway's key")
    }
    let settings = ChatRequestBody.Settings(
      model: model, profile: profile, isStream: isStream, asksForUsage: false)
    return GatewayCall(
      client: self, url: address.url("/chat/completions"), method: "POST",
      body: { asksForUsage in
        var settings = settings
        settings.asksForUsage = asksForUsage
        return ChatRequestBody.json(request, settings)
      },
      headers: HeaderRules.merged([
        ["User-Agent": "HybridKit"], headers, try HeaderRules.checked(own),
      ]),
      accept: isStream ? "text/event-stream, application/json" : "application/json",
      isStream: isStream, idempotencyKey: idempotencyKey(),
      limits: context.limits ?? options.limits)
  }

  private func requireSupport(for request: ChatRequest) throws(HybridError) {
    let missing = request.features.intersection(profile.lacks).sorted()
    guard let feature = missing.first else { return }
    throw HybridError(
      .unsupportedFeature, "\(origin) cannot do `\(feature.rawValue)`",
      nextStep: "Leave it out, or let the local side answer",
      details: ["features": .array(missing.map { .string($0.rawValue) })], side: .remote)
  }

  /// Without a router nobody has weighed the tags against a policy: then none may go out.
  private static func requireMayLeave(_ request: ChatRequest) throws(HybridError) {
    guard request.preference == .localOnly || !request.tags.isEmpty else { return }
    let isTagged = request.preference != .localOnly
    throw HybridError(
      .localRequired,
      isTagged
        ? "the request is tagged, and no policy has said that its tags may leave the machine"
        : "the request must stay on this machine",
      nextStep: "Ask through HybridChat, or leave the tags and the preference out",
      details: [
        "code": isTagged ? "privacy" : "preference",
        "tags": .array(request.tags.map(\.rawValue).sorted().map { .string($0) }),
      ], side: .remote)
  }

  private func target(_ model: String?) -> GatewayTarget {
    GatewayTarget(origin: origin, model: model ?? self.model)
  }

  private func idempotencyKey() -> String {
    let numbers = [options.random(), options.random()].map { number in
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return "hybrid-" + numbers.joined()
  }
}

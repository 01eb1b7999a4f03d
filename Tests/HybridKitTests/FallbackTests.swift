import HybridCore
import HybridKit
import HybridRouting
import HybridTesting
import Testing

@Suite struct `A side that fails` {
  private let request = ChatRequest(prompt: "2 + 2?")

  private func chat(
    remote script: Script, policy: RoutingPolicy = RoutingPolicy(preference: .preferRemote)
  ) -> HybridChat {
    HybridChat(
      local: ScriptedExecutor.local(.answer("Four.")), gateway: ScriptedExecutor.remote(script),
      policy: policy)
  }

  @Test(arguments: [
    ErrorCode.connectionRefused, .connectionDNS, .timeoutConnect, .timeoutFirstByte, .server,
    .overloaded, .rateLimited, .quotaExhausted, .paymentRequired, .authentication, .noCredentials,
    .wrongContentType, .redirectRefused, .truncated, .badJSON, .breakerOpen, .contextLength,
  ])
  func `before its first output is replaced where the table says so`(_ code: ErrorCode) async throws
  {
    let answer = try await chat(remote: .refusing(HybridError(code, "scripted")))
      .complete(request)
    #expect(answer.ranOn == .local)
    #expect(answer.text == "Four.")
    #expect(answer.reason?.code == .remoteFailed)
    #expect(answer.reason?.details["code"] == .string(code.rawValue))
    #expect(answer.attempts.map(\.outcome) == [code.rawValue, "ok"])
    #expect(answer.attempts.map(\.side) == [.remote, .local])
  }

  @Test(arguments: [
    ErrorCode.invalidRequest, .notFound, .payloadTooLarge, .contentPolicy, .tls,
    .invalidConfiguration,
  ])
  func `for a cause that the other side cannot mend ends the request`(_ code: ErrorCode) async {
    let local = ScriptedExecutor.local()
    let chat = HybridChat(
      local: local,
      gateway: ScriptedExecutor.remote(.refusing(HybridError(code, "scripted"))),
      policy: RoutingPolicy(preference: .preferRemote))
    let error = await #expect(throws: HybridError.self) { try await chat.complete(request) }
    #expect(error?.code == code)
    #expect(error?.side == .remote)
    #expect(error?.attempts.map(\.outcome) == [code.rawValue])
    #expect(local.record.requests.isEmpty)
  }

  @Test func `may be replaced after a refusal or a bad certificate where the policy says so`()
    async throws
  {
    let policy = RoutingPolicy(
      preference: .preferRemote, fallbackOnRefusal: true, fallbackOnTLSFailure: true)
    let refused = try await chat(
      remote: .refusing(HybridError(.contentPolicy, "scripted")), policy: policy
    ).complete(request)
    #expect(refused.reason?.code == .remoteRefused)
    let distrusted = try await chat(
      remote: .refusing(HybridError(.tls, "scripted")), policy: policy
    ).complete(request)
    #expect(distrusted.ranOn == .local)
  }

  @Test func `is not replaced where the policy wants no fallback`() async {
    let policy = RoutingPolicy(preference: .preferRemote, fallbackOnFailure: false)
    let error = await #expect(throws: HybridError.self) {
      try await chat(remote: .refusing(HybridError(.server, "scripted")), policy: policy)
        .complete(request)
    }
    #expect(error?.code == .server)
  }

  @Test func `announces who takes over, with the reason, in a stream`() async throws {
    var seen: [String] = []
    let stream = try await chat(remote: .failing(HybridError(.truncated, "scripted")))
      .stream(request)
    for try await event in stream {
      switch event {
      case .attempt(let attempt): seen.append("\(attempt.side) \(attempt.outcome)")
      case .fallback(let from, let to, let reason):
        seen.append("\(from) to \(to): \(reason.code.rawValue)")
      case .text(let text): seen.append(text)
      default: break
      }
    }
    #expect(
      seen == [
        "remote protocol.truncated", "remote to local: remoteFailed", "Four.", "local ok",
      ])
  }

  @Test func `after output was handed out interrupts the stream and keeps the text`() async {
    let local = ScriptedExecutor.local()
    let chat = HybridChat(
      local: local,
      gateway: ScriptedExecutor.remote(
        .failing(HybridError(.connectionReset, "scripted"), after: "Fo", "u")),
      policy: RoutingPolicy(preference: .preferRemote))
    var text = ""
    let error = await #expect(throws: HybridError.self) {
      for try await event in try await chat.stream(request) {
        if case .text(let piece) = event { text += piece }
      }
    }
    #expect(text == "Fou")
    #expect(error?.code == .interrupted)
    #expect(error?.causeCode == .connectionReset)
    #expect(error?.committed == true)
    #expect(error?.partialText == "Fou")
    #expect(local.record.requests.isEmpty)
  }

  @Test func `in the middle of a whole answer is replaced, for nothing was handed out`()
    async throws
  {
    let answer = try await chat(
      remote: .failing(HybridError(.connectionReset, "scripted"), after: "Fo", "u")
    ).complete(request)
    #expect(answer.text == "Four.")
    #expect(answer.attempts.map(\.outcome) == ["connection.reset", "ok"])
  }

  @Test func `on both sides ends with the second failure and both attempts`() async {
    let chat = HybridChat(
      local: ScriptedExecutor.local(.refusing(HybridError(.modelLoadFailed, "scripted"))),
      gateway: ScriptedExecutor.remote(.refusing(HybridError(.server, "scripted"))))
    let error = await #expect(throws: HybridError.self) { try await chat.complete(request) }
    #expect(error?.code == .server)
    #expect(error?.attempts.map(\.outcome) == ["modelLoadFailed", "server"])
  }

  @Test func `keeps the retries patient only while the other side could take over`() async throws {
    let gateway = ScriptedExecutor.remote()
    let policy = RoutingPolicy(preference: .preferRemote)
    _ = try await HybridChat(local: ScriptedExecutor.local(), gateway: gateway, policy: policy)
      .complete(request)
    _ = try await HybridChat(gateway: gateway, policy: policy).complete(request)
    #expect(gateway.record.contexts.map(\.patience) == [policy.patience, nil])
  }

  @Test func `may begin its answer anew as long as nothing of it is shown`() async throws {
    let gateway = ScriptedExecutor.remote()
    let chat = HybridChat(gateway: gateway)
    _ = try await chat.complete(request)
    for try await _ in try await chat.stream(request) {}
    #expect(gateway.record.contexts.map(\.collects) == [true, false])
  }
}

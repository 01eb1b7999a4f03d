import HybridCore
import HybridKit
import HybridRouting
import HybridTesting
import Testing

@Suite struct `An answer` {
  private let request = ChatRequest(prompt: "2 + 2?")

  @Test func `comes from the preferred side and gives no reason`() async throws {
    let chat = HybridChat(
      local: ScriptedExecutor.local(.answer("Fo", "ur.")),
      gateway: ScriptedExecutor.remote(.answer("4")))
    let answer = try await chat.complete(request)
    #expect(answer.text == "Four.")
    #expect(answer.ranOn == .local)
    #expect(answer.reason == nil)
    #expect(answer.finishReason == .stop)
    #expect(answer.attempts.map(\.outcome) == ["ok"])
  }

  @Test func `carries the plan that was asked for beforehand`() async throws {
    let chat = HybridChat(
      local: ScriptedExecutor.local(promptTokens: 3000), gateway: ScriptedExecutor.remote(),
      time: ManualClock())
    let plan = await chat.plan(request)
    let answer = try await chat.complete(request)
    #expect(answer.plan == plan)
    #expect(answer.reason == plan.reason)
    #expect(answer.ranOn == .remote)
    #expect(answer.reason?.code == .contextTooLong)
  }

  @Test func `streams its plan first, its pieces in order, itself last`() async throws {
    let chat = HybridChat(local: ScriptedExecutor.local(.answer("Fo", "ur.")))
    var events: [String] = []
    for try await event in try await chat.stream(request) {
      switch event {
      case .plan: events.append("plan")
      case .attempt(let attempt): events.append("attempt \(attempt.outcome)")
      case .text(let text): events.append(text)
      case .done(let answer): events.append("done \(answer.text)")
      default: events.append("?")
      }
    }
    #expect(events == ["plan", "Fo", "ur.", "attempt ok", "done Four."])
  }

  @Test func `has the log-probabilities of the side that gave it, and as JSON`() async throws {
    func told(_ text: String) -> TokenLogProb {
      TokenLogProb(
        text: text, bytes: Array(text.utf8), token: 7, logProb: -0.5,
        alternatives: [.init(text: "x", bytes: nil, token: nil, logProb: -2)])
    }
    let broken = Script(steps: [
      .event(.text("Fi")), .event(.logProbs([told("Fi")])),
      .failure(HybridError(.engineLost, "gone")),
    ])
    let whole = Script(steps: [
      .event(.text("Fo")), .event(.logProbs([told("Fo")])), .event(.text("ur")),
      .event(.logProbs([told("u"), told("r")])),
    ])
    var asked = request
    asked.topLogProbs = 1
    let chat = HybridChat(
      local: ScriptedExecutor.local(broken), gateway: ScriptedExecutor.remote(whole))
    let answer = try await chat.complete(asked)
    #expect(answer.ranOn == .remote)
    #expect(answer.logProbs == [told("Fo"), told("u"), told("r")])
    #expect(
      answer.json["logProbs"]?.array?.first == [
        "text": "Fo", "bytes": [70, 111], "token": 7, "logProb": -0.5,
        "alternatives": [["text": "x", "bytes": nil, "token": nil, "logProb": -2]],
      ])
    let plain = try await HybridChat(local: ScriptedExecutor.local()).complete(request)
    #expect(plain.logProbs == nil)
    #expect(plain.json["logProbs"] == .null)
  }

  @Test func `tells a local attempt after its output, though the engine works ahead`() async throws
  {
    var events: [String] = []
    for try await event in try await HybridChat(local: WorksAhead()).stream(request) {
      if case .attempt(let attempt) = event { events.append(attempt.outcome) }
      if case .text(let text) = event { events.append(text) }
    }
    #expect(events == ["Fo", "ur.", "ok"])
  }

  @Test func `has reasoning and tool calls apart from the text`() async throws {
    let call = ToolCall(id: "1", name: "add", arguments: "{}")
    let script = Script(steps: [
      .event(.reasoning("Hm.")), .event(.text("Four.")), .event(.toolCall(call)),
    ])
    let answer = try await HybridChat(local: ScriptedExecutor.local(script)).complete(request)
    #expect(answer.text == "Four.")
    #expect(answer.reasoning == "Hm.")
    #expect(answer.toolCalls == [call])
  }

  @Test func `marks usage that nobody counted`() async throws {
    let script = Script(steps: [
      .event(.text("Four hundred.")), .event(.finished(Completion(finishReason: .stop))),
    ])
    let answer = try await HybridChat(gateway: ScriptedExecutor.remote(script)).complete(request)
    #expect(answer.usage?.counted == false)
    #expect(answer.usage?.completionTokens == 4)
  }

  @Test func `measures its first token and its whole time by the request`() async throws {
    let clock = ManualClock()
    let script = Script(steps: [
      .wait(.seconds(1)), .event(.text("a")), .wait(.seconds(2)), .event(.text("b")),
    ])
    let chat = HybridChat(local: ScriptedExecutor.local(script, time: clock), time: clock)
    async let pending = chat.complete(request)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(2))
    let answer = try await pending
    #expect(answer.timings.firstToken == .seconds(1))
    #expect(answer.timings.total == .seconds(3))
  }

  @Test func `gives the gateway the policy's limits, and less time to connect beside a model`()
    async throws
  {
    let gateway = ScriptedExecutor.remote()
    let policy = RoutingPolicy(
      preference: .preferRemote, limits: RoutingPolicy.GatewayLimits(idle: .seconds(7)))
    _ = try await HybridChat(gateway: gateway, policy: policy).complete(request)
    _ = try await HybridChat(local: ScriptedExecutor.local(), gateway: gateway, policy: policy)
      .complete(request)
    let limits = gateway.record.contexts.map(\.limits)
    #expect(limits.map(\.?.idle) == [.seconds(7), .seconds(7)])
    #expect(limits.map(\.?.connect) == [.seconds(5), .milliseconds(1500)])
  }

  @Test(arguments: [
    ChatRequest(messages: []), ChatRequest(prompt: " \n\t"),
    ChatRequest(messages: [.user("a")], sampling: Sampling(temperature: 3)),
    ChatRequest(messages: [.user("a")], maxTokens: 0),
    ChatRequest(messages: [.user("a")], stop: [""]),
    ChatRequest(messages: [.user("a")], extraFields: ["n": 2]),
    ChatRequest(messages: [.user("a")], deadline: .zero),
  ])
  func `is refused before either side sees a request that none could answer`(
    _ request: ChatRequest
  ) async {
    let local = ScriptedExecutor.local()
    let chat = HybridChat(local: local)
    let error = await #expect(throws: HybridError.self) { try await chat.complete(request) }
    #expect(error?.code == .invalidRequest)
    #expect(error?.nextStep != nil)
    #expect(error?.details["field"] != nil)
    #expect(local.record.requests.isEmpty && local.record.measurements == 0)
  }
}

/// A local side that has ended its attempt before anyone reads the output.
private struct WorksAhead: LocalSide {
  private let scripted = ScriptedExecutor.local(.answer("Fo", "ur."))

  func status(model: String?) async -> LocalStatus { await scripted.status(model: model) }

  func measure(_ request: ChatRequest) async -> PromptMeasurement {
    await scripted.measure(request)
  }

  func start(
    _ request: ChatRequest, in context: ExecutionContext
  ) async throws(HybridError) -> ExecutorStream {
    context.onAttempt(Attempt(side: .local, failure: nil, duration: .zero))
    return try await scripted.start(request, in: ExecutionContext())
  }
}

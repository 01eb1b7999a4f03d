import HybridCore
import HybridKit
import HybridTesting
import Testing

@Suite struct `A request that names a model` {
  /// A local side with two models, of which the second may have no room now.
  private struct TwoModels: LocalSide {
    let scripted = ScriptedExecutor.local()
    var hasRoom = true

    func status(model: String?) async -> LocalStatus {
      var status = LocalStatus.ready(model: model == "second" ? "second" : "first")
      if model == "second", !hasRoom { status.queue = QueueStatus(depth: 64, capacity: 64) }
      return status
    }

    func measure(_ request: ChatRequest) async -> PromptMeasurement {
      .counted(request.model == "second" ? 7 : 3)
    }

    func start(
      _ request: ChatRequest, in context: ExecutionContext
    ) async throws(HybridError) -> ExecutorStream {
      try await scripted.start(request, in: context)
    }
  }

  private static func request(_ model: String?) -> ChatRequest {
    var request = ChatRequest(prompt: "a")
    request.model = model
    return request
  }

  @Test(arguments: [(nil, 3), ("first", 3), ("second", 7)] as [(String?, Int)])
  func `is counted by that model's tokenizer`(model: String?, promptTokens: Int) async {
    let plan = await HybridChat(local: TwoModels()).plan(Self.request(model))
    #expect(plan.promptTokens?.count == promptTokens)
    #expect(plan.ranOn == .local)
  }

  @Test(arguments: [(nil, nil), ("first", nil), ("second", "localBusy")] as [(String?, String?)])
  func `goes by that model's state`(model: String?, reason: String?) async {
    let local = TwoModels(hasRoom: false)
    let plan = await HybridChat(local: local, gateway: ScriptedExecutor.remote()).plan(
      Self.request(model))
    #expect(plan.reason?.code.rawValue == reason)
    #expect(plan.ranOn == (reason == nil ? .local : .remote))
  }

  @Test func `the local side does not have goes out, or is stood in for as the policy says`()
    async throws
  {
    let sides = (TwoModels(), ScriptedExecutor.remote())
    let strict = HybridChat(local: sides.0, gateway: sides.1)
    let plan = await strict.plan(Self.request("GPT-4o-mini"))
    #expect(plan.ranOn == .remote)
    #expect(plan.reason?.code == .modelNotStandIn)

    let lenient = HybridChat(
      local: sides.0, gateway: sides.1,
      policy: RoutingPolicy(localStandIns: ["gpt-4o-mini"]))
    for model in ["GPT-4o-mini", "first", nil] {
      #expect(try await lenient.complete(Self.request(model)).ranOn == .local)
    }
    // The local side is told so, since it does not know the policy.
    #expect(sides.0.scripted.record.contexts.map(\.standsIn) == [true, false, false])
    #expect(sides.0.scripted.record.requests.map(\.model) == ["GPT-4o-mini", "first", nil])
  }
}

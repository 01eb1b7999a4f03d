import HybridCore
import HybridRouting
import Testing

struct RoutingPlanTests {
  @Test func `the preferred side needs no reason, and the other one is its fallback`() {
    let plan = RoutingPolicy().plan(for: RoutingFacts(local: .ready(), remote: .available))
    #expect(plan.ranOn == .local)
    #expect(plan.reason == nil)
    #expect(plan.fallback == .remote)
    #expect(plan.promptTokens == .counted(20))
    #expect(plan.reservedOutputTokens == 512)
    #expect(plan.contextLength == 2048)
    #expect(plan.noSideError == nil)
    #expect(plan.noSideKind == nil)
    #expect(
      plan.counterfactual
        == "remote would run if the preference were preferRemote or the prompt 1,517 tokens longer")
  }

  @Test func `a prompt too long for the local context goes away with its numbers`() throws {
    let plan = RoutingPolicy().plan(
      for: RoutingFacts(local: .ready(promptTokens: 2000), remote: .available))
    #expect(plan.ranOn == .remote)
    #expect(plan.fallback == nil)
    let reason = try #require(plan.reason)
    #expect(reason.code == .contextTooLong)
    #expect(reason.details == ["prompt": 2000, "reserved": 512, "context": 2048])
    #expect(
      reason.message == "the prompt of 2,000 tokens and the 512 tokens kept for the answer "
        + "exceed the local context of 2,048 tokens")
    #expect(
      plan.counterfactual == "local would run if the prompt were 464 tokens shorter "
        + "or the context at least 2,512 tokens")
  }

  @Test func `a plan prints the object that the command line promises`() {
    let plan = RoutingPolicy().plan(for: RoutingFacts(request: RequestFacts(promptBytes: 9)))
    let json = plan.json
    #expect(
      json.object?.keys == [
        "ranOn", "reason", "checks", "promptTokens", "reservedOutputTokens", "contextLength",
        "fallback", "predicted", "estimatedCost", "counterfactual",
      ])
    #expect(json["ranOn"] == .null)
    #expect(
      json["reason"] == [
        "code": "noLocalModel", "message": "no local model is configured", "details": [:],
      ])
    #expect(json["checks"]?.array?.count == plan.checks.count)
    #expect(
      json["checks"]?.array?.first == [
        "code": "preference", "side": "local", "verdict": "pass",
        "details": ["preference": "preferLocal"],
      ])
    #expect(json["promptTokens"] == ["count": 3, "counted": false])
    #expect(json["reservedOutputTokens"] == 512)
    #expect(json["contextLength"] == .null)
    #expect(json["fallback"] == .null)
    #expect(json["predicted"] == ["local": .null, "remote": .null])
    #expect(json["estimatedCost"] == .null)
    #expect(
      json["counterfactual"]
        == "local would run if a local model were configured; remote would run if a gateway were configured"
    )
  }

  @Test func `a request's facts are its needs without its content`() {
    var request = ChatRequest(prompt: "Grüße", system: "S")
    request.tags = [.health]
    request.model = "m"
    request.maxTokens = 7
    request.preference = .localOnly
    request.deadline = .seconds(9)
    request.tools = [ToolDefinition(name: "clock")]
    let facts = RequestFacts(request)
    #expect(
      facts
        == RequestFacts(
          preference: .localOnly, tags: [.health], model: "m", features: [.tools], maxTokens: 7,
          deadlineRemaining: .seconds(9), promptBytes: 8))
    #expect(RequestFacts(request, deadlineRemaining: .seconds(2)).deadlineRemaining == .seconds(2))
  }
}

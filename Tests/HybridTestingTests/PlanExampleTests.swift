import HybridCore
import HybridKit
import HybridRouting
import HybridTesting
import Testing

/// What a user's own test looks like: neither a model nor a network.
struct PlanExampleTests {
  @Test func `a letter too long for the local model goes to the gateway`() async {
    let local = ScriptedExecutor.local(context: 2048, promptTokens: 3000)
    let gateway = ScriptedExecutor.remote(.answer("Dear Sir"))
    let chat = HybridChat(local: local, gateway: gateway)
    let plan = await chat.plan(ChatRequest(prompt: "Answer this letter: …"))
    #expect(plan.ranOn == .remote)
    #expect(plan.reason?.code == .contextTooLong)
    #expect(gateway.requests.isEmpty)
  }

  @Test func `a private letter stays here whatever its length`() async {
    let gateway = ScriptedExecutor.remote()
    let chat = HybridChat(local: ScriptedExecutor.local(promptTokens: 3000), gateway: gateway)
    var request = ChatRequest(prompt: "Answer this letter: …")
    request.tags = [.private]
    let plan = await chat.plan(request)
    #expect(plan.ranOn == nil)
    #expect(plan.reason(against: .remote)?.code == .privacy)
    #expect(gateway.record.statusReads == 0)
  }

  @Test func `while the gateway is down the local model answers`() async throws {
    let down = HybridError(.connectionRefused, "nobody listens")
    let chat = HybridChat(
      local: ScriptedExecutor.local(.answer("Four.")),
      gateway: ScriptedExecutor.remote(.refusing(down)),
      policy: RoutingPolicy(preference: .preferRemote), time: ManualClock())
    let answer = try await chat.complete(ChatRequest(prompt: "2 + 2?"))
    #expect(answer.text == "Four.")
    #expect(answer.ranOn == .local)
    #expect(answer.reason?.code == .remoteFailed)
  }
}

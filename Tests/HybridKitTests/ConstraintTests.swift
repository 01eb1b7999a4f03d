import HybridCore
import HybridKit
import HybridRouting
import HybridTesting
import Testing

@Suite struct `A request that must stay` {
  private let failingLocal = Script.refusing(HybridError(.modelLoadFailed, "scripted"))

  @Test(arguments: [
    (RoutingPolicy(preference: .localOnly), ChatRequest(prompt: "a")),
    (RoutingPolicy(preference: .preferRemote), request(preference: .localOnly)),
    (RoutingPolicy(preference: .preferRemote), request(tags: [.health])),
    (RoutingPolicy(), request(tags: ["a tag of the user's own"])),
  ])
  func `never reaches the gateway, not even when the local side fails`(
    _ policy: RoutingPolicy, _ request: ChatRequest
  ) async {
    let gateway = ScriptedExecutor.remote()
    let chat = HybridChat(
      local: ScriptedExecutor.local(failingLocal), gateway: gateway, policy: policy)
    let error = await #expect(throws: HybridError.self) { try await chat.complete(request) }
    #expect(error?.code == .modelLoadFailed)
    #expect(gateway.record.requests.isEmpty)
    #expect(gateway.record.statusReads == 0)
  }

  @Test func `is refused with both reasons where there is no local side`() async {
    let gateway = ScriptedExecutor.remote()
    let chat = HybridChat(gateway: gateway)
    let error = await #expect(throws: HybridError.self) {
      try await chat.complete(Self.request(tags: [.private]))
    }
    #expect(error?.code == .noSide)
    #expect(error?.details["local"]?["code"] == "noLocalModel")
    #expect(error?.details["remote"]?["code"] == "privacy")
    #expect(gateway.record.requests.isEmpty)
  }

  @Test func `goes out where the policy allows its tag`() async throws {
    let policy = RoutingPolicy(preference: .preferRemote, tagsAllowedRemote: [.financial])
    let chat = HybridChat(gateway: ScriptedExecutor.remote(), policy: policy)
    let answer = try await chat.complete(Self.request(tags: [.financial]))
    #expect(answer.ranOn == .remote)
  }

  @Test func `is asked about again before every attempt, so a kill switch stops the next one`()
    async throws
  {
    let gate = Gate()
    let gateway = ScriptedExecutor.remote(.answer("4", after: gate))
    let chat = HybridChat(
      local: ScriptedExecutor.local(), gateway: gateway,
      policy: RoutingPolicy(preference: .preferRemote))
    async let pending = chat.complete(ChatRequest(prompt: "a"))
    await gate.arrivals()
    let permit = try #require(gateway.record.contexts.first?.permit)
    #expect(permit(2) == nil)
    chat.setEnabled(.remote, false)
    #expect(permit(2)?.causeCode.rawValue == "killSwitch")
    gate.open()
    _ = try await pending
    let next = await chat.plan(ChatRequest(prompt: "a"))
    #expect(next.ranOn == .local)
    #expect(next.reason?.code == .killSwitch)
    chat.setEnabled(.remote, true)
    #expect(await chat.plan(ChatRequest(prompt: "a")).ranOn == .remote)
  }

  @Test func `that must go out never touches the model`() async {
    let local = ScriptedExecutor.local()
    let chat = HybridChat(
      local: local,
      gateway: ScriptedExecutor.remote(.refusing(HybridError(.server, "scripted"))),
      policy: RoutingPolicy(preference: .remoteOnly))
    let error = await #expect(throws: HybridError.self) {
      try await chat.complete(ChatRequest(prompt: "a"))
    }
    #expect(error?.code == .server)
    #expect(local.record.requests.isEmpty)
    #expect(local.record.measurements == 0)
  }

  private static func request(
    preference: Preference? = nil, tags: Set<SensitivityTag> = []
  ) -> ChatRequest {
    ChatRequest(messages: [.user("a")], tags: tags, preference: preference)
  }
}

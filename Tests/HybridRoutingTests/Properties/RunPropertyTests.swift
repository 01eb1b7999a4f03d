import HybridCore
import HybridKit
import HybridRouting
import HybridTesting
import Testing

/// What the plan says is what the run does, over generated policies, requests and states of the sides.
struct RunPropertyTests {
  private static let cases = GeneratedCase.cases(seed: 20_261_130, count: 3000)
    .compactMap(RunnableCase.init)

  @Test func `the cases hold every outcome`() {
    let plans = Self.cases.map { $0.generated.policy.plan(for: $0.generated.facts) }
    #expect(Self.cases.count > 500)
    #expect(plans.contains { $0.ranOn == nil })
    for side in Side.allCases {
      #expect(plans.contains { $0.ranOn == side && $0.reason == nil })
      #expect(plans.contains { $0.ranOn == side && $0.reason != nil })
      #expect(plans.contains { $0.ranOn == side && $0.fallback != nil })
    }
  }

  @Test func `a run ends where its plan says, for the reason that it gives`() async {
    for each in Self.cases {
      let (chat, local, gateway) = each.chat()
      let plan = await chat.plan(each.request)
      let asked = Set(Side.allCases.filter { $0 == plan.ranOn })
      do throws(HybridError) {
        let answer = try await chat.complete(each.request)
        #expect(answer.ranOn == plan.ranOn, "\(each.generated)")
        #expect(answer.reason == plan.reason, "\(each.generated)")
        #expect(answer.plan == plan, "\(each.generated)")
      } catch {
        #expect(plan.ranOn == nil, "\(error) \(each.generated)")
        #expect(error.code == plan.noSideError?.code, "\(each.generated)")
        #expect(error.noSideKind == plan.noSideKind, "\(each.generated)")
      }
      #expect(started(local, gateway) == asked, "\(each.generated)")
      await Task.yield()
    }
  }

  @Test func `after a failure the plan's fallback takes over, or nobody`() async {
    for each in Self.cases {
      let (chat, local, gateway) = each.chat(
        Script.failing(HybridError(.truncated, "scripted"), after: "Fo"))
      let plan = await chat.plan(each.request)
      let error = await #expect(throws: HybridError.self) {
        try await chat.complete(each.request)
      }
      #expect(error?.code == (plan.ranOn == nil ? plan.noSideError?.code : .truncated))
      let asked = Set([plan.ranOn, plan.fallback].compactMap { $0 })
      #expect(started(local, gateway) == asked, "\(each.generated)")
      await Task.yield()
    }
  }

  private func started(_ local: ScriptedExecutor?, _ gateway: ScriptedExecutor?) -> Set<Side> {
    var sides: Set<Side> = []
    if local?.record.requests.isEmpty == false { sides.insert(.local) }
    if gateway?.record.requests.isEmpty == false { sides.insert(.remote) }
    return sides
  }
}

/// A generated case that a scripted pair of sides can play: everything in it was asked for.
private struct RunnableCase {
  let generated: GeneratedCase
  let request: ChatRequest

  init?(_ generated: GeneratedCase) {
    let facts = generated.facts
    guard facts.local.map({ $0.status != nil && $0.measurement != nil }) ?? true,
      facts.remote.map({ $0.status != nil }) ?? true,
      facts.request.deadlineRemaining != .zero
    else { return nil }
    self.generated = generated
    let needs = facts.request.features
    request = ChatRequest(
      messages: [
        ChatMessage(
          role: .user,
          content: [.text("a")] + (needs.contains(.images) ? [.image(url: "data:,")] : []))
      ],
      model: facts.request.model, maxTokens: facts.request.maxTokens,
      choices: facts.request.choices,
      tools: needs.contains(.tools) ? [ToolDefinition(name: "look")] : [],
      tags: facts.request.tags, preference: facts.request.preference,
      deadline: facts.request.deadlineRemaining)
  }

  func chat(
    _ script: Script = .answer("Four.")
  ) -> (HybridChat, ScriptedExecutor?, ScriptedExecutor?) {
    let facts = generated.facts
    let clock = ManualClock(now: facts.now)
    let local = facts.local.map { facts in
      let local = ScriptedExecutor.local(script, time: clock)
      if let status = facts.status { local.localStatus = status }
      if let measurement = facts.measurement { local.measure = { _ in measurement } }
      return local
    }
    let gateway = facts.remote.map { facts in
      ScriptedExecutor.remote(script, status: facts.status ?? .available, time: clock)
    }
    let chat = HybridChat(
      local: local, gateway: gateway, policy: generated.policy, time: clock)
    for side in facts.limits.switchedOff { chat.setEnabled(side, false) }
    return (chat, local, gateway)
  }
}

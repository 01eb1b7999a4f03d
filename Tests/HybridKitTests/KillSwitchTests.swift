import HybridCore
import HybridKit
import HybridRouting
import HybridTesting
import Testing

@Suite struct `A side that is turned off` {
  private let request = ChatRequest(prompt: "2 + 2?")
  private let local = ScriptedExecutor.local(.answer("Four."))
  private let gateway = ScriptedExecutor.remote(.answer("4"))

  private func chat(
    _ preference: Preference, fallbackOnFailure: Bool = true
  ) -> HybridChat {
    HybridChat(
      local: local, gateway: gateway,
      policy: RoutingPolicy(preference: preference, fallbackOnFailure: fallbackOnFailure))
  }

  @Test(arguments: [true, false])
  func `after the plan leaves the request to the other, as a new plan would`(
    _ fallbackOnFailure: Bool
  ) async throws {
    let chat = chat(.preferRemote, fallbackOnFailure: fallbackOnFailure)
    let stream = try await chat.stream(request)
    #expect(stream.plan.ranOn == .remote)
    chat.setEnabled(.remote, false)
    #expect(!chat.isEnabled(.remote))
    var answer: Answer?
    for try await event in stream {
      if case .done(let whole) = event { answer = whole }
    }
    #expect(answer?.ranOn == .local)
    #expect(answer?.reason?.code == .killSwitch)
    #expect(answer?.attempts.map(\.side) == [.local])
    #expect(gateway.record.requests.isEmpty)
  }

  @Test(arguments: [
    (Preference.remoteOnly, Side.remote, ErrorCode.remoteUnavailable),
    (.localOnly, .local, .localRequired),
  ])
  func `after the plan of an exclusive request ends it as its plan would have`(
    _ preference: Preference, _ side: Side, _ code: ErrorCode
  ) async throws {
    let chat = chat(preference)
    let stream = try await chat.stream(request)
    chat.setEnabled(side, false)
    let error = await #expect(throws: HybridError.self) { for try await _ in stream {} }
    #expect(error?.code == code)
    #expect(error?.code == (await chat.plan(request)).noSideError?.code)
    #expect(error?.details["code"] == "killSwitch")
    #expect(error?.noSideKind == .unavailable)
    #expect(error?.nextStep != nil)
    #expect(error?.attempts.isEmpty == true)
    #expect(local.record.requests.isEmpty && gateway.record.requests.isEmpty)
  }

  @Test func `between two tries has not failed, and the other answers`() async throws {
    let tried = Gate()
    let chat = HybridChat(
      local: local, gateway: TriesTwice(between: tried),
      policy: RoutingPolicy(preference: .preferRemote))
    async let pending = chat.complete(request)
    await tried.arrivals()
    chat.setEnabled(.remote, false)
    tried.open()
    let answer = try await pending
    #expect(answer.ranOn == .local)
    #expect(answer.reason?.code == .killSwitch)
    #expect(answer.attempts.map(\.outcome) == ["server", "ok"])
  }

  @Test func `takes nothing over, and the first failure stays the error`() async throws {
    let failing = ScriptedExecutor.local(.refusing(HybridError(.modelLoadFailed, "scripted")))
    let chat = HybridChat(local: failing, gateway: gateway)
    let stream = try await chat.stream(request)
    #expect(stream.plan.fallback == .remote)
    chat.setEnabled(.remote, false)
    var successors: [Side] = []
    let error = await #expect(throws: HybridError.self) {
      for try await event in stream {
        if case .fallback(_, let side, _) = event { successors.append(side) }
      }
    }
    #expect(error?.code == .modelLoadFailed)
    #expect(successors.isEmpty)
    #expect(gateway.record.requests.isEmpty)
  }
}

/// A gateway whose first try fails; it waits for the gate before it asks for the second.
private struct TriesTwice: RemoteSide {
  let gate: Gate

  init(between gate: Gate) {
    self.gate = gate
  }

  func status(model: String?) async -> GatewayStatus { .available }

  func start(
    _ request: ChatRequest, in context: ExecutionContext
  ) async throws(HybridError) -> ExecutorStream {
    context.onAttempt(Attempt(side: .remote, failure: .server, duration: .zero))
    _ = await gate.pass()
    throw context.permit?(2) ?? HybridError(.internal, "the second try was permitted")
  }
}

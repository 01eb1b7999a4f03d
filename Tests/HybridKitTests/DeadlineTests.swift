import HybridCore
import HybridKit
import HybridRouting
import HybridTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A deadline` {
  private let clock = ManualClock()
  private let request = ChatRequest(messages: [.user("a")], deadline: .seconds(5))

  /// Runs the request, lets `time` pass once something waits for it, and returns how it ended.
  private func end(
    of chat: HybridChat, after time: Duration = .seconds(6)
  ) async -> HybridError? {
    let task = Task { try await chat.complete(request) }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: time)
    return await #expect(throws: HybridError.self) { try await task.value }
  }

  @Test func `ends the wait for a side that has not accepted the request`() async {
    let gate = Gate()
    let local = ScriptedExecutor.local(Script(opening: [.gate(gate)]), time: clock)
    let task = Task { [request] in
      try await HybridChat(local: local, time: clock).complete(request)
    }
    await gate.arrivals()
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(4900))
    #expect(clock.nextWake.map { $0.sinceOrigin <= .milliseconds(5250) } == true)
    clock.advance(by: .milliseconds(350))
    let error = await #expect(throws: HybridError.self) { try await task.value }
    #expect(error?.code == .deadlineExceeded)
    #expect(error?.side == .local)
    #expect(error?.attempts.map(\.outcome) == ["deadlineExceeded"])
  }

  @Test func `ends the wait for a prompt that is being counted`() async {
    let local = NeverCounts()
    let error = await end(of: HybridChat(local: local, time: clock))
    #expect(error?.code == .deadlineExceeded)
    #expect(error?.side == nil)
  }

  @Test func `lets nothing start after it`() async {
    let gateway = ScriptedExecutor.remote(
      Script(opening: [.wait(.seconds(9)), .failure(HybridError(.server, "scripted"))]),
      time: clock)
    let local = ScriptedExecutor.local(time: clock)
    let error = await end(
      of: HybridChat(
        local: local, gateway: gateway, policy: RoutingPolicy(preference: .preferRemote),
        time: clock))
    #expect(error?.code == .deadlineExceeded)
    #expect(local.record.requests.isEmpty)
  }

  @Test func `ends an answer that comes faster than it is read`() async throws {
    let local = ScriptedExecutor.local(.answer("Fo", "ur", "."), time: clock)
    var text = ""
    let error = await #expect(throws: HybridError.self) {
      for try await event in try await HybridChat(local: local, time: clock).stream(request) {
        guard case .text(let piece) = event else { continue }
        text += piece
        clock.advance(by: .seconds(3))
      }
    }
    #expect(text == "Four")
    #expect(error?.code == .interrupted)
    #expect(error?.causeCode == .deadlineExceeded)
    #expect(error?.partialText == "Four")
    #expect(local.record.cancellations == 1)
  }

  @Test func `that has passed when a side fails announces no other side`() async throws {
    let local = ScriptedExecutor.local(time: clock)
    let chat = HybridChat(
      local: local, gateway: FailsAtTheDeadline(clock: clock),
      policy: RoutingPolicy(preference: .preferRemote), time: clock)
    var successors: [Side] = []
    let error = await #expect(throws: HybridError.self) {
      for try await event in try await chat.stream(request) {
        if case .fallback(_, let side, _) = event { successors.append(side) }
      }
    }
    #expect(error?.code == .connectionRefused)
    #expect(error?.attempts.map(\.outcome) == ["connection.refused"])
    #expect(successors.isEmpty)
    #expect(local.record.requests.isEmpty)
  }
}

private struct FailsAtTheDeadline: RemoteSide {
  let clock: ManualClock

  func status(model: String?) async -> GatewayStatus { .available }

  func start(
    _ request: ChatRequest, in context: ExecutionContext
  ) async throws(HybridError) -> ExecutorStream {
    clock.advance(by: context.deadline.map { $0 - clock.now() } ?? .zero)
    throw HybridError(.connectionRefused, "scripted")
  }
}

/// A local side that is never done counting.
private struct NeverCounts: LocalSide {
  private let gate = Gate()

  func status(model: String?) async -> LocalStatus { .ready() }

  func measure(_ request: ChatRequest) async -> PromptMeasurement {
    _ = await gate.pass()
    return .counted(1)
  }

  func start(
    _ request: ChatRequest, in context: ExecutionContext
  ) async throws(HybridError) -> ExecutorStream {
    throw HybridError(.internal, "not reached")
  }
}

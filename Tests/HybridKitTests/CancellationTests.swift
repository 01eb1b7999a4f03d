import HybridCore
import HybridKit
import HybridRouting
import HybridTesting
import Testing

@Suite struct `Stopping an answer` {
  private let request = ChatRequest(prompt: "2 + 2?")

  @Test func `in good order ends it with what there is and the reason cancelled`() async throws {
    let gate = Gate()
    let script = Script(steps: [.event(.text("Fo")), .gate(gate), .event(.text("ur."))])
    let chat = HybridChat(local: ScriptedExecutor.local(script))
    let stream = try await chat.stream(request)
    var last: Answer?
    for try await event in stream {
      if case .text = event { stream.cancel() }
      if case .done(let answer) = event { last = answer }
    }
    #expect(last?.text == "Fo")
    #expect(last?.finishReason == .cancelled)
    #expect(last?.attempts.map(\.outcome) == ["cancelled"])
  }

  @Test func `before the side accepted it ends it empty, and the other side stays out`()
    async throws
  {
    let gate = Gate()
    let local = ScriptedExecutor.local()
    let chat = HybridChat(
      local: local, gateway: ScriptedExecutor.remote(Script(opening: [.gate(gate)])),
      policy: RoutingPolicy(preference: .preferRemote))
    let stream = try await chat.stream(request)
    async let answer = stream.last
    await gate.arrivals()
    stream.cancel()
    #expect(try await answer?.finishReason == .cancelled)
    #expect(try await answer?.text == "")
    #expect(local.record.requests.isEmpty)
  }

  @Test func `by its task throws cancelled with the text so far, and starts nothing else`()
    async throws
  {
    let gate = Gate()
    let local = ScriptedExecutor.local()
    let script = Script(steps: [.event(.text("Fo")), .gate(gate)])
    let chat = HybridChat(
      local: local, gateway: ScriptedExecutor.remote(script),
      policy: RoutingPolicy(preference: .preferRemote))
    let task = Task { try await chat.complete(request) }
    await gate.arrivals()
    task.cancel()
    let error = await #expect(throws: HybridError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(error?.partialText == "Fo")
    #expect(local.record.requests.isEmpty)
  }

  @Test func `by dropping its stream stops the side`() async throws {
    let gate = Gate()
    let local = ScriptedExecutor.local(Script(steps: [.event(.text("Fo")), .gate(gate)]))
    let chat = HybridChat(local: local)
    for try await event in try await chat.stream(request) {
      if case .text = event { break }
    }
    #expect(local.record.cancellations == 1)
  }

  @Test func `is for its one reader: a second one is refused`() async throws {
    let stream = try await HybridChat(local: ScriptedExecutor.local()).stream(request)
    _ = try await stream.last
    let error = await #expect(throws: HybridError.self) { try await stream.last }
    #expect(error?.code == .invalidRequest)
  }

  @Test func `by the deadline: nothing starts after it`() async {
    let clock = ManualClock()
    let gateway = ScriptedExecutor.remote(
      Script(opening: [.wait(.seconds(9)), .failure(HybridError(.server, "scripted"))]),
      time: clock)
    let local = ScriptedExecutor.local(time: clock)
    let chat = HybridChat(
      local: local, gateway: gateway, policy: RoutingPolicy(preference: .preferRemote),
      time: clock)
    let request = ChatRequest(messages: [.user("a")], deadline: .seconds(5))
    let task = Task { try await chat.complete(request) }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(9))
    let error = await #expect(throws: HybridError.self) { try await task.value }
    #expect(error?.causeCode == .deadlineExceeded)
    #expect(local.record.requests.isEmpty)
  }
}

extension AnswerStream {
  fileprivate var last: Answer? {
    get async throws {
      var last: Answer?
      for try await event in self {
        if case .done(let answer) = event { last = answer }
      }
      return last
    }
  }
}

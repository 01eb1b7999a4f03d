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

  @Test func `before anything ran starts no side, not even to load a model`() async {
    let local = ScriptedExecutor.local()
    let chat = HybridChat(local: local)
    let task = Task {
      _ = await Gate().pass()
      return try await chat.complete(request)
    }
    task.cancel()
    let error = await #expect(throws: HybridError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(local.record.requests.isEmpty)
  }

  @Test func `is final: a side that then fails is not replaced`() async {
    let local = ScriptedExecutor.local()
    let gateway = FailsWhenStopped()
    let chat = HybridChat(
      local: local, gateway: gateway, policy: RoutingPolicy(preference: .preferRemote))
    let error = await #expect(throws: HybridError.self) {
      let stream = try await chat.stream(request)
      async let last = stream.last
      await gateway.stopped.arrivals()
      stream.cancel()
      _ = try await last
    }
    #expect(error?.code == .server)
    #expect(local.record.requests.isEmpty)
  }

  @Test(.timeLimit(.minutes(5)))
  func `by dropping its stream lets go of all that worked for it`() async throws {
    let gone = Gate()
    for try await event in try await HybridChat(local: TellsItsEnd(gone)).stream(request) {
      if case .text = event { break }
    }
    // A task that has ended may hold the side for some microseconds more.
    #expect(await gone.pass())
  }
}

/// A local side that never ends its answer, and opens a gate when nothing holds it any more.
private final class TellsItsEnd: LocalSide {
  private let gone: Gate
  private let scripted = ScriptedExecutor.local(
    Script(steps: [.event(.text("Fo")), .gate(Gate())]))

  init(_ gone: Gate) {
    self.gone = gone
  }

  deinit { gone.open() }

  func status(model: String?) async -> LocalStatus { await scripted.status(model: model) }

  func measure(_ request: ChatRequest) async -> PromptMeasurement {
    await scripted.measure(request)
  }

  func start(
    _ request: ChatRequest, in context: ExecutionContext
  ) async throws(HybridError) -> ExecutorStream {
    let stream = try await scripted.start(request, in: context)
    return ExecutorStream(
      next: { [self] () async throws(HybridError) in
        defer { withExtendedLifetime(self) {} }
        return try await stream.makeAsyncIterator().next()
      }, cancel: { stream.cancel() })
  }
}

/// A gateway whose answer fails as soon as it is stopped.
private struct FailsWhenStopped: RemoteSide {
  let stopped = Gate()

  func status(model: String?) async -> GatewayStatus { .available }

  func start(
    _ request: ChatRequest, in context: ExecutionContext
  ) async throws(HybridError) -> ExecutorStream {
    ExecutorStream(
      next: { [stopped] () async throws(HybridError) in
        _ = await stopped.pass()
        throw HybridError(.server, "scripted")
      }, cancel: { [stopped] in stopped.open() })
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

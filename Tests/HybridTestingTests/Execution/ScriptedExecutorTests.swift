import HybridCore
import HybridTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ScriptedExecutorTests {
  let request = ChatRequest(prompt: "2 + 2?")
  let refused = HybridError(.connectionRefused, "nobody listens")

  @Test func `an answer comes in its pieces and ends with stop`() async throws {
    let executor = ScriptedExecutor.local(.answer("4", "."), model: "m", promptTokens: 7)
    let events = try await collect(executor.start(request, in: ExecutionContext()))
    #expect(events.dropLast() == [.text("4"), .text(".")])
    let completion = try #require(events.last?.completion)
    #expect(completion.finishReason == .stop)
    #expect(completion.model == "m")
    #expect(completion.usage == Usage(promptTokens: 7, completionTokens: 2, counted: true))
    #expect(executor.requests == [request])
    #expect(executor.record.cancellations == 0)
  }

  @Test func `several choices come with their numbers and all end with stop`() async throws {
    var request = request
    request.choices = 3
    let executor = ScriptedExecutor.local(.choices("4", "four", "vier"))
    let events = try await collect(executor.start(request, in: ExecutionContext()))
    #expect(
      events.dropLast() == [.text("4"), .choice(1, .text("four")), .choice(2, .text("vier"))])
    #expect(events.last?.completion?.finishReason == .stop)
    #expect(events.last?.completion?.otherFinishReasons == [.stop, .stop])
    #expect(events.last?.completion?.usage?.completionTokens == 3)
  }

  @Test func `each request takes the next script and the last one stays`() async throws {
    let executor = ScriptedExecutor.remote(.answer("a"), .answer("b"))
    for expected in ["a", "b", "b"] {
      let events = try await collect(executor.start(request, in: ExecutionContext()))
      #expect(events.first == .text(expected))
    }
  }

  @Test func `a refusal is thrown before any output and is an attempt`() async throws {
    let attempts = Log<Attempt>()
    let context = ExecutionContext(onAttempt: { attempts.add($0) })
    let executor = ScriptedExecutor.remote(.refusing(refused))
    let error = await #expect(throws: HybridError.self) {
      try await executor.start(request, in: context)
    }
    #expect(error?.code == .connectionRefused)
    #expect(error?.side == .remote)
    #expect(attempts.entries.map(\.failure) == [.connectionRefused])
  }

  @Test func `a failure comes after what was handed out before it`() async throws {
    let executor = ScriptedExecutor.remote(.failing(refused, after: "par", "tial"))
    let stream = try await executor.start(request, in: ExecutionContext())
    var text = ""
    let error = await #expect(throws: HybridError.self) {
      for try await case .text(let piece) in stream { text += piece }
    }
    #expect(error?.code == .connectionRefused)
    #expect(text == "partial")
  }

  @Test func `without a permit nothing runs and nothing was attempted`() async {
    let attempts = Log<Attempt>()
    let context = ExecutionContext(
      permit: { HybridError(.cancelled, "not attempt \($0)") },
      onAttempt: { attempts.add($0) })
    let error = await #expect(throws: HybridError.self) {
      try await ScriptedExecutor.local().start(request, in: context)
    }
    #expect(error?.message == "not attempt 1")
    #expect(attempts.entries.isEmpty)
  }

  @Test func `nothing passes a gate before it is opened`() async throws {
    let gate = Gate()
    let executor = ScriptedExecutor.local(.answer("late", after: gate))
    let stream = try await executor.start(request, in: ExecutionContext())
    let received = Log<ExecutorEvent>()
    let reader = Task {
      for try await event in stream { received.add(event) }
    }
    await gate.arrivals()
    #expect(received.entries.isEmpty)
    gate.open()
    try await reader.value
    #expect(received.entries.first == .text("late"))
  }

  @Test func `a stopped run ends in good order with what came before`() async throws {
    let gate = Gate()
    let script = Script(steps: [.event(.text("a")), .gate(gate), .event(.text("b"))])
    let executor = ScriptedExecutor.local(script)
    let stream = try await executor.start(request, in: ExecutionContext())
    let reader = Task { try await collect(stream) }
    await gate.arrivals()
    stream.cancel()
    let events = try await reader.value
    #expect(events.first == .text("a"))
    #expect(events.last?.completion?.finishReason == .cancelled)
    #expect(events.count == 2)
    #expect(executor.record.cancellations == 1)
  }

  @Test func `a cancelled reader gets the error of its cancellation`() async throws {
    let gate = Gate()
    let executor = ScriptedExecutor.local(.answer("never", after: gate))
    let stream = try await executor.start(request, in: ExecutionContext())
    let reader = Task { try await collect(stream) }
    await gate.arrivals()
    reader.cancel()
    let error = await #expect(throws: HybridError.self) { try await reader.value }
    #expect(error?.code == .cancelled)
    #expect(executor.record.cancellations == 1)
  }

  @Test func `a dropped stream counts as cancelled, a finished one does not`() async throws {
    let executor = ScriptedExecutor.local(.answer("a", "b"))
    do {
      let stream = try await executor.start(request, in: ExecutionContext())
      for try await _ in stream { break }
    }
    #expect(executor.record.cancellations == 1)
    _ = try await collect(executor.start(request, in: ExecutionContext()))
    #expect(executor.record.cancellations == 1)
  }

  @Test func `a wait takes time on the clock and ends at the deadline`() async throws {
    let clock = ManualClock()
    let executor = ScriptedExecutor.local(
      Script(steps: [.wait(.seconds(5)), .event(.text("a"))]), time: clock)
    let patient = try await executor.start(request, in: ExecutionContext())
    let reader = Task { try await collect(patient) }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    #expect(try await reader.value.last?.completion?.timings.total == .seconds(5))

    let hasty = try await executor.start(
      request, in: ExecutionContext(deadline: clock.now() + .seconds(2)))
    let hastyReader = Task { try await collect(hasty) }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(2))
    let error = await #expect(throws: HybridError.self) { try await hastyReader.value }
    #expect(error?.code == .deadlineExceeded)
  }

  @Test func `what a side says of itself can be changed between requests`() async {
    let executor = ScriptedExecutor.local()
    #expect(await executor.measure(request) == .counted(20))
    executor.measure = { .counted($0.messages.count) }
    executor.localStatus.state = .missing
    executor.gatewayStatus.availability = .offline(since: .origin)
    #expect(await executor.measure(request) == .counted(1))
    #expect(await executor.status().state == .missing)
    #expect(await executor.status(model: nil).availability == .offline(since: .origin))
    #expect(executor.record.statusReads == 2)
    #expect(executor.record.measurements == 2)
  }
}

private func collect(_ stream: ExecutorStream) async throws -> [ExecutorEvent] {
  var events: [ExecutorEvent] = []
  for try await event in stream { events.append(event) }
  return events
}

extension ExecutorEvent {
  fileprivate var completion: Completion? {
    if case .finished(let completion) = self { completion } else { nil }
  }
}

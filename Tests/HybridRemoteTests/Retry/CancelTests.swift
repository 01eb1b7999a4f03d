import HybridCore
import HybridRemote
import HybridTesting
import Testing

/// A cancelled call ends as cancelled, whatever it was doing.
@Suite(.timeLimit(.minutes(10)))
struct CancelTests {
  private let clock = ManualClock()

  /// A body that stands still in its middle, and at a cancel does what `end` says.
  private static func hanging(
    _ status: Int, type: String = "application/json", at gate: Gate,
    end: @escaping @Sendable () throws(HybridError) -> Void
  ) -> TransportResponse {
    TransportResponse(
      status: status, headers: ["Content-Type": type],
      body: ResponseBody(
        next: { () async throws(HybridError) in
          if await gate.pass() { return nil }
          try end()
          return nil
        }, cancel: {}))
  }

  /// How transports end a body whose reader is cancelled: as they should, and in other ways.
  enum Ending: String, CaseIterable, Sendable {
    case cancelled, reset, silently

    func act() throws(HybridError) {
      switch self {
      case .cancelled: throw .cancelledByTask
      case .reset: throw HybridError(.connectionReset, "gone")
      case .silently: break
      }
    }
  }

  @Test(arguments: [400, 401, 429, 500, 503], Ending.allCases)
  func `while a refusal's body is read`(status: Int, ending: Ending) async throws {
    let gate = Gate()
    let transport = ClosureTransport { _, _ in
      Self.hanging(status, at: gate) { () throws(HybridError) in try ending.act() }
    }
    let client = try GatewayClient.scripted(transport, time: clock)
    let task = Task { await Collected.run(client) }
    await gate.arrivals()
    task.cancel()
    let (result, failure) = await task.value
    #expect(result.error == .cancelled)
    #expect(failure?.attempts.count == 1)
    #expect(failure?.attempts.first?.status == status)
    #expect(transport.requests.count == 1)
  }

  @Test(arguments: Ending.allCases)
  func `while a whole answer is read`(ending: Ending) async throws {
    let gate = Gate()
    let transport = ClosureTransport { _, _ in
      Self.hanging(200, at: gate) { () throws(HybridError) in try ending.act() }
    }
    let client = try GatewayClient.scripted(transport, time: clock)
    let task = Task { try await client.chat.completions.create(ChatRequest(prompt: "x")) }
    await gate.arrivals()
    task.cancel()
    let error = await #expect(throws: HybridError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(transport.requests.count == 1)
  }

  @Test(arguments: Ending.allCases)
  func `while a stream is read`(ending: Ending) async throws {
    let gate = Gate()
    let transport = ClosureTransport { _, _ in
      Self.hanging(200, type: "text/event-stream", at: gate) { () throws(HybridError) in
        try ending.act()
      }
    }
    let client = try GatewayClient.scripted(transport, time: clock)
    let task = Task { await Collected.run(client) }
    await gate.arrivals()
    task.cancel()
    #expect(await task.value.collected.error == .cancelled)
    #expect(transport.requests.count == 1)
  }

  @Test(arguments: [ErrorCode.connectionReset, .server, .notFound, .cancelled])
  func `while the head is awaited`(code: ErrorCode) async throws {
    let gate = Gate()
    let transport = ClosureTransport { _, _ throws(HybridError) in
      _ = await gate.pass()
      throw HybridError(code, "ended")
    }
    let client = try GatewayClient.scripted(transport, time: clock)
    let task = Task { await Collected.run(client) }
    await gate.arrivals()
    task.cancel()
    #expect(await task.value.collected.error == .cancelled)
    #expect(transport.requests.count == 1)
  }

  @Test func `an orderly stop while a second try is refused ends the answer as cancelled`()
    async throws
  {
    let gate = Gate()
    let transport = ClosureTransport { number, _ in
      number == 1
        ? .scripted("")
        : Self.hanging(400, at: gate) { () throws(HybridError) in throw .cancelledByTask }
    }
    let client = try GatewayClient.scripted(transport, time: clock)
    let stream = try await client.start(ChatRequest(prompt: "x"), in: ExecutionContext())
    let task = Task { () -> FinishReason? in
      for try await event in stream {
        if case .finished(let completion) = event { return completion.finishReason }
      }
      return nil
    }
    await clock.sleepers(atLeast: 1)
    clock.advanceToNextSleeper()
    await gate.arrivals()
    stream.cancel()
    #expect(try await task.value == .cancelled)
  }

  @Test func `a refusal that breaks off is told as far as it came`() async throws {
    let transport = ClosureTransport { _, _ in
      .scripted(
        404, pieces: [Array("no such model".utf8)],
        failure: HybridError(.connectionReset, "gone"))
    }
    let client = try GatewayClient.scripted(transport, time: clock)
    let (result, failure) = await Collected.run(client)
    #expect(result.error == .notFound)
    #expect(failure?.gateway?.message == "no such model")
  }
}

import HybridCore
import HybridRemote
import HybridTesting
import Testing

/// A gateway that takes requests and says nothing, asked by callers with deadlines of their own.
@Suite(.timeLimit(.minutes(10)))
struct SilentGatewayTests {
  private let clock = ManualClock()

  private static let silence = ScriptedExchange(opening: [.wait(.seconds(3600))])

  private func client(_ transport: ScriptedTransport) throws -> GatewayClient {
    try GatewayClient.scripted(transport, time: clock)
  }

  /// One request with a deadline of its own, on a clock whose waits pass at once.
  private func ask(
    _ client: GatewayClient, within length: Duration
  ) async -> (collected: Collected, failure: HybridError?) {
    let isDone = Flag(false)
    async let result = {
      let result = await Collected.run(
        client, in: ExecutionContext(deadline: clock.now() + length))
      isDone.set(true)
      return result
    }()
    await clock.advance(untilDone: { isDone.value })
    return await result
  }

  private func availability(_ client: GatewayClient) async -> GatewayStatus.Availability {
    await client.status(model: nil).availability
  }

  @Test func `opens the breaker where it had its time`() async throws {
    let transport = ScriptedTransport(Self.silence, time: clock)
    let client = try client(transport)
    var codes: [ErrorCode?] = []
    for _ in 0..<10 { codes.append(await ask(client, within: .seconds(3)).collected.error) }
    #expect(
      codes.prefix(5) == [
        .deadlineExceeded, .deadlineExceeded, .deadlineExceeded,
        .deadlineExceeded, .deadlineExceeded,
      ])
    #expect(codes.dropFirst(5).allSatisfy { $0 == .breakerOpen })
    #expect(transport.requests.count == 5)
    guard case .breakerOpen = await availability(client) else {
      Issue.record("the breaker is not open")
      return
    }
  }

  @Test func `leaves it closed where callers gave it no time`() async throws {
    let transport = ScriptedTransport(Self.silence, time: clock)
    let client = try client(transport)
    for _ in 0..<10 {
      let (result, failure) = await ask(client, within: .milliseconds(500))
      #expect(result.error == .deadlineExceeded)
      #expect(failure?.attempts.map(\.outcome) == ["deadlineExceeded"])
    }
    #expect(transport.requests.count == 10)
    #expect(await availability(client) == .available)
  }

  @Test func `a head is a sign of life`() async throws {
    var exchange = ScriptedExchange.events()
    exchange.steps = [.wait(.seconds(3600))]
    let transport = ScriptedTransport(exchange, time: clock)
    let client = try client(transport)
    for _ in 0..<10 {
      #expect(await ask(client, within: .seconds(3)).collected.error == .deadlineExceeded)
    }
    #expect(transport.requests.count == 10)
    #expect(await availability(client) == .available)
  }

  @Test func `a probe with no time gives its place to the next, one with time opens again`()
    async throws
  {
    let transport = ScriptedTransport(Self.silence, time: clock)
    let client = try client(transport)
    for _ in 0..<5 { _ = await ask(client, within: .seconds(3)) }
    guard case .breakerOpen(let until, _) = await availability(client) else {
      Issue.record("the breaker is not open")
      return
    }
    clock.advance(by: until - clock.now())
    for count in 6...8 {
      let (result, _) = await ask(client, within: .milliseconds(500))
      #expect(result.error == .deadlineExceeded)
      #expect(transport.requests.count == count)
      #expect(await availability(client) == .available)
    }
    _ = await ask(client, within: .seconds(3))
    guard case .breakerOpen(let again, 6) = await availability(client) else {
      Issue.record("the breaker is not open again")
      return
    }
    // The second opening is the longer one.
    #expect(again - clock.now() >= .seconds(10))
  }

  @Test(arguments: [(3, ErrorCode.deadlineExceeded, false), (0.5, .deadlineExceeded, true)])
  func `a caller that gives up at its deadline counts as the deadline does`(
    length: Double, outcome: ErrorCode, isAvailable: Bool
  ) async throws {
    let gate = Gate()
    let transport = ClosureTransport { _, _ throws(HybridError) in
      _ = await gate.pass()
      throw .cancelledByTask
    }
    let client = try GatewayClient.scripted(transport, time: clock)
    for number in 1...5 {
      let deadline = clock.now() + .seconds(length)
      let task = Task { await Collected.run(client, in: ExecutionContext(deadline: deadline)) }
      await gate.arrivals(atLeast: number)
      clock.advance(by: .seconds(length))
      task.cancel()
      let (result, failure) = await task.value
      #expect(result.error == .cancelled)
      #expect(failure?.attempts.map(\.failure) == [outcome])
    }
    #expect((await availability(client) == .available) == isAvailable)
  }

  @Test func `a caller that changes its mind says nothing of the gateway`() async throws {
    let gate = Gate()
    let transport = ClosureTransport { _, _ throws(HybridError) in
      _ = await gate.pass()
      throw .cancelledByTask
    }
    let client = try GatewayClient.scripted(transport, time: clock)
    for number in 1...10 {
      let deadline = clock.now() + .seconds(60)
      let task = Task { await Collected.run(client, in: ExecutionContext(deadline: deadline)) }
      await gate.arrivals(atLeast: number)
      clock.advance(by: .seconds(20))
      task.cancel()
      #expect(await task.value.failure?.attempts.map(\.failure) == [.cancelled])
    }
    #expect(await availability(client) == .available)
  }

  @Test func `a key that does not come is not held against the gateway`() async throws {
    let transport = ScriptedTransport(Self.silence, time: clock)
    let never = Gate()
    let client = try GatewayClient.scripted(
      transport,
      credentials: .provider(name: "slow") { () async throws(HybridError) in
        _ = await never.pass()
        return Secret("k")
      }, time: clock)
    for _ in 0..<10 {
      #expect(await ask(client, within: .seconds(3)).collected.error == .deadlineExceeded)
    }
    #expect(transport.requests.isEmpty)
    #expect(await availability(client) == .available)
  }
}

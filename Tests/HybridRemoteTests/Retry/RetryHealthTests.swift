import HybridCore
import HybridRemote
import HybridTesting
import Testing

/// What many failures do to the calls that follow.
@Suite(.timeLimit(.minutes(10)))
struct RetryHealthTests: RetryScenario {
  let clock = ManualClock()

  @Test func `five failures open the breaker, one probe closes it`() async throws {
    let isDown = Flag(true)
    let transport = ClosureTransport { _, _ in isDown.value ? .json(500, "{}") : Self.good() }
    let client = try GatewayClient.scripted(transport, time: clock) {
      $0.retries.maximumTries = 1
    }
    for _ in 0..<5 { #expect(await Collected.run(client).collected.error == .server) }
    guard case .breakerOpen(let until, 5) = await client.status(model: nil).availability else {
      Issue.record("the breaker is not open")
      return
    }
    let (refused, failure) = await Collected.run(client)
    #expect(refused.error == .breakerOpen)
    #expect(failure?.attempts.isEmpty == true)
    #expect(transport.requests.count == 5)
    clock.advance(by: until - clock.now())
    isDown.set(false)
    #expect(await Collected.run(client).collected.text == "a")
    #expect(await client.status(model: nil).availability == .available)
  }

  @Test func `a dropped probe gives its place back`() async throws {
    let transport = ClosureTransport { number, _ in number <= 5 ? .json(500, "{}") : Self.good() }
    let client = try GatewayClient.scripted(transport, time: clock) {
      $0.retries.maximumTries = 1
    }
    for _ in 0..<5 { _ = await Collected.run(client) }
    clock.advance(by: .seconds(10))
    do {
      let stream = try await client.start(ChatRequest(prompt: "x"), in: ExecutionContext())
      _ = stream
    }
    #expect(await Collected.run(client).collected.text == "a")
  }

  @Test func `with everything down, a thousand requests cost at most half as many tries again`()
    async throws
  {
    let transport = ClosureTransport { _, _ in .json(503, "{}") }
    let client = try GatewayClient.scripted(transport, time: clock)
    let isDone = Flag(false)
    async let all: Void = {
      for _ in 0..<1000 { _ = await Collected.run(client) }
      isDone.set(true)
    }()
    await clock.advance(untilDone: { isDone.value })
    await all
    #expect(transport.requests.count <= 1500)
  }

  @Test func `offline means that nothing is sent`() async throws {
    let transport = ClosureTransport { _, _ in Self.good() }
    let client = try GatewayClient.scripted(transport, time: clock)
    client.setOffline(true)
    #expect(await client.status(model: "any").availability == .offline(since: .origin))
    #expect(await Collected.run(client).collected.error == .breakerOpen)
    #expect(transport.requests.isEmpty)
    client.setOffline(false)
    #expect(await Collected.run(client).collected.text == "a")
  }
}

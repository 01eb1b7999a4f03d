import HybridCore
import HybridRemote
import HybridTesting
import Testing

/// How long is waited between tries, and what ends the waiting.
@Suite(.timeLimit(.minutes(10)))
struct RetryTimesTests: RetryScenario {
  let clock = ManualClock()

  @Test(
    arguments: [
      (["Retry-After": "2"], Duration.milliseconds(2050)),
      (["Retry-After-Ms": "1500", "Retry-After": "9"], .milliseconds(1550)),
      (
        ["Retry-After": "Thu, 01 Jan 2026 00:00:03 GMT", "Date": "Thu, 01 Jan 2026 00:00:00 GMT"],
        .milliseconds(3050)
      ),
      // Relative to the response's own date, however wrong the clocks.
      (
        ["Retry-After": "Sat, 01 Jan 2000 00:00:04 GMT", "Date": "Sat, 01 Jan 2000 00:00:00 GMT"],
        .milliseconds(4050)
      ),
      // Not readable: the drawn wait, 1 s · 3/4.
      (["Retry-After": "soon"], .milliseconds(750)),
      (["Retry-After": "1e3"], .milliseconds(750)),
      (["Retry-After": "-5"], .milliseconds(750)),
      (["Retry-After": "0"], .milliseconds(750)),
      ([:], .milliseconds(750)),
    ] as [([String: String], Duration)])
  func `the gateway's own wait is kept`(headers: [String: String], wait: Duration) async throws {
    var fields = HTTPHeaders()
    for (name, value) in headers { fields.append(name, value) }
    let transport = failing({ [fields] in .json(429, headers: fields, "{}") }, times: 1)
    let (result, failure, waited) = try await run(transport)
    #expect(result.text == "a", "\(String(describing: failure))")
    #expect(waited == wait)
  }

  @Test func `a wait over the patience ends the call at once and cools the gateway`() async throws {
    let transport = failing({ .json(429, headers: ["Retry-After": "30"], "{}") }, times: 9)
    let client = try GatewayClient.scripted(transport, time: clock)
    let (result, failure) = await Collected.run(
      client, in: ExecutionContext(patience: .seconds(2)))
    #expect(result.error == .rateLimited)
    #expect(failure?.gateway?.retryAfter == .seconds(30))
    #expect(transport.requests.count == 1)
    let until = Moment(sinceOrigin: .seconds(30))
    #expect(
      await client.status(model: nil).availability == .coolingDown(.rateLimited, until: until))
    // Left alone until then, and then asked again.
    let (again, refusal) = await Collected.run(client)
    #expect(again.error == .breakerOpen)
    #expect(refusal?.causeCode == .rateLimited)
    #expect(transport.requests.count == 1)
    clock.advance(by: .seconds(30))
    #expect(await client.status(model: nil).availability == .available)
  }

  @Test func `a rate limit without a hint is tried again while other calls stay away`() async throws
  {
    let transport = failing({ .json(429, "{}") }, times: 2)
    let client = try GatewayClient.scripted(transport, time: clock)
    let isDone = Flag(false)
    async let first = Self.collect(client, ExecutionContext(), isDone)
    await clock.sleepers(atLeast: 1)
    // The cool-down that the failure began holds for all but the call that waits.
    let (other, refusal) = await Collected.run(client)
    #expect(other.error == .breakerOpen)
    #expect(refusal?.causeCode == .rateLimited)
    #expect(transport.requests.count == 1)
    await clock.advance(untilDone: { isDone.value })
    #expect(await first.collected.text == "a")
    #expect(transport.requests.count == 3)
    // 1 s and 2 s, each by three quarters.
    #expect(clock.now() - .origin == .milliseconds(2250))
  }

  @Test func `its way stays open when the next try fails of something else`() async throws {
    let transport = ClosureTransport { number, _ in
      number == 1 ? .json(429, "{}") : number == 2 ? .json(500, "{}") : Self.good()
    }
    let (result, failure, waited) = try await run(transport)
    #expect(result.text == "a")
    #expect(failure == nil)
    // 1 s by three quarters, then 500 ms by half.
    #expect(waited == .milliseconds(1000))
  }

  @Test(arguments: ["Fri, 31 Dec 2027 23:59:59 GMT", "31536000"])
  func `a rate limit that lasts a year ends the call at once`(retryAfter: String) async throws {
    let transport = failing({ .json(429, headers: ["Retry-After": retryAfter], "{}") }, times: 9)
    let (result, failure, waited) = try await run(transport)
    #expect(result.error == .rateLimited)
    #expect((failure?.gateway?.retryAfter ?? .zero) >= .seconds(31_536_000))
    #expect(failure?.attempts.count == 1)
    #expect(waited == .zero)
  }

  @Test(arguments: [402, 429])
  func `spent money or quota cools for long`(status: Int) async throws {
    let body = #"{"error":{"code":"insufficient_quota"}}"#
    let transport = failing({ .json(status, body) }, times: 9)
    let client = try GatewayClient.scripted(transport, time: clock)
    #expect(await Collected.run(client).collected.error != nil)
    let code: ErrorCode = status == 402 ? .paymentRequired : .quotaExhausted
    #expect(
      await client.status(model: nil).availability
        == .coolingDown(code, until: Moment(sinceOrigin: .seconds(600))))
    // Other models of the same gateway are another target.
    #expect(await client.status(model: "other").availability == .available)
  }

  @Test func `no wait goes past the deadline`() async throws {
    let transport = failing({ .json(503, headers: ["Retry-After": "10"], "{}") }, times: 9)
    let context = ExecutionContext(deadline: Moment(sinceOrigin: .seconds(8)))
    let (result, failure, waited) = try await run(transport, context: context)
    #expect(result.error == .overloaded)
    #expect(failure?.attempts.count == 1)
    #expect(waited == .zero)
  }

  @Test func `each try gets the time that is left`() async throws {
    let transport = failing({ .json(500, "{}") }, times: 2)
    let context = ExecutionContext(
      deadline: Moment(sinceOrigin: .seconds(8)), limits: TimeLimits(connect: .milliseconds(1500)))
    _ = try await run(transport, context: context)
    #expect(
      transport.requests.map(\.limits.total)
        == [.seconds(8), .milliseconds(7875), .milliseconds(7625)])
    #expect(transport.requests.allSatisfy { $0.limits.connect == .milliseconds(1500) })
    #expect(transport.requests.allSatisfy { $0.limits.firstByte == .seconds(30) })
    #expect(transport.requests.allSatisfy { $0.limits.idle == .seconds(45) })
  }

  @Test func `a total that passes at the deadline is the deadline's`() async throws {
    let transport = ClosureTransport { [clock] _, _ throws(HybridError) in
      clock.advance(by: .seconds(3))
      throw HybridError(.timeoutTotal, "too long")
    }
    let context = ExecutionContext(deadline: Moment(sinceOrigin: .seconds(3)))
    let (result, failure, _) = try await run(transport, context: context)
    #expect(result.error == .deadlineExceeded)
    // Its own cause: an unlimited total may be followed by a fallback, a deadline never.
    #expect(failure?.causeCode == .deadlineExceeded)
    #expect(failure?.attempts.map(\.outcome) == ["deadlineExceeded"])
  }

  @Test func `a deadline that has passed sends nothing`() async throws {
    let transport = failing({ .json(500, "{}") }, times: 9)
    let context = ExecutionContext(deadline: .origin)
    #expect(try await run(transport, context: context).collected.error == .deadlineExceeded)
    #expect(transport.requests.isEmpty)
  }

  @Test func `cancelling while it waits ends the wait`() async throws {
    let transport = ClosureTransport { _, _ in .json(503, "{}") }
    let client = try GatewayClient.scripted(transport, time: clock)
    let task = Task { await Collected.run(client) }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    let (result, failure) = await task.value
    #expect(result.error == .cancelled)
    #expect(failure?.attempts.map(\.outcome) == ["overloaded"])
    #expect(transport.requests.count == 1)
  }
}

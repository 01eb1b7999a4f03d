import HybridCore
import HybridRemote
import HybridTesting
import Synchronization
import Testing

/// The one loop that tries again, on a clock that a test moves.
@Suite(.timeLimit(.minutes(10)))
struct RetryTests {
  private let clock = ManualClock()

  /// Runs on a clock whose waits pass at once; tells how long they were.
  private func run(
    _ transport: ClosureTransport, context: ExecutionContext = ExecutionContext(),
    change: @escaping (inout GatewayOptions) -> Void = { _ in }
  ) async throws -> (collected: Collected, failure: HybridError?, waited: Duration) {
    let client = try GatewayClient.scripted(transport, time: clock, change: change)
    let begun = clock.now()
    let isDone = Flag(false)
    async let result = Self.collect(client, context, isDone)
    await clock.advance(untilDone: { isDone.value })
    let (collected, failure) = await result
    return (collected, failure, clock.now() - begun)
  }

  private static func collect(
    _ client: GatewayClient, _ context: ExecutionContext, _ isDone: Flag
  ) async -> (collected: Collected, failure: HybridError?) {
    let result = await Collected.run(client, in: context)
    isDone.set(true)
    return result
  }

  private static func good() -> TransportResponse { .scripted(stream(text("a"), "[DONE]")) }

  /// Fails with these, one after the other, then answers well.
  private func failing(_ responses: @escaping @Sendable () -> TransportResponse, times: Int)
    -> ClosureTransport
  {
    ClosureTransport { number, _ in number <= times ? responses() : Self.good() }
  }

  @Test(arguments: [408, 409, 425, 500, 502, 503, 504, 529])
  func `a gateway that stumbles is tried again`(status: Int) async throws {
    let transport = failing({ .json(status, "{}") }, times: 2)
    let (result, _, waited) = try await run(transport)
    #expect(result.text == "a")
    // 250 ms and 500 ms, by half: the random source stands in the middle.
    #expect(waited == .milliseconds(375))
    #expect(transport.requests.count == 3)
  }

  @Test(arguments: [400, 401, 402, 403, 404, 413, 422, 307])
  func `what will not get better is not tried again`(status: Int) async throws {
    let transport = failing({ .json(status, "{}") }, times: 9)
    let (result, failure, waited) = try await run(transport)
    #expect(result.error != nil)
    #expect(failure?.attempts.count == 1)
    #expect(waited == .zero)
  }

  @Test func `at most three tries, all of them told`() async throws {
    let log = Log()
    let transport = failing({ .json(500, "{}") }, times: 9)
    let (_, failure, _) = try await run(
      transport, context: ExecutionContext(onAttempt: { log.add($0) }))
    #expect(transport.requests.count == 3)
    #expect(failure?.attempts.map(\.outcome) == ["server", "server", "server"])
    #expect(log.attempts == failure?.attempts)
  }

  @Test func `every try carries the same key, and other requests another`() async throws {
    let transport = failing({ .json(500, "{}") }, times: 2)
    let random = Counter()
    _ = try await run(transport, change: { $0.random = { random.next() } })
    let keys = transport.requests.map { $0.headers["Idempotency-Key"] }
    #expect(keys.count == 3)
    #expect(Set(keys).count == 1)
    #expect(keys.first??.hasPrefix("hybrid-") == true)
  }

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

  @Test func `x-should-retry is obeyed`() async throws {
    let no = failing({ .json(500, headers: ["x-should-retry": "false"], "{}") }, times: 1)
    #expect(try await run(no).collected.error == .server)
    #expect(no.requests.count == 1)
    let yes = failing({ .json(400, headers: ["x-should-retry": "true"], "{}") }, times: 1)
    #expect(try await run(yes).collected.text == "a")
    #expect(yes.requests.count == 2)
  }

  @Test func `the permit is asked before each try and can forbid it`() async throws {
    let asked = Log()
    let transport = failing({ .json(500, "{}") }, times: 9)
    let context = ExecutionContext(permit: { number in
      asked.note(number)
      return number == 2 ? HybridError(.localRequired, "no longer allowed out") : nil
    })
    let (result, failure, _) = try await run(transport, context: context)
    #expect(result.error == .localRequired)
    #expect(failure?.attempts.count == 1)
    #expect(asked.numbers == [1, 2])
    #expect(transport.requests.count == 1)
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

  @Test(arguments: [
    ErrorCode.connectionRefused, .connectionDNS, .connectionUnreachable, .timeoutConnect,
  ])
  func `no connection is tried again only where no other side can take over`(
    code: ErrorCode
  ) async throws {
    let transport = ClosureTransport { number, _ throws(HybridError) in
      if number == 1 { throw HybridError(code, "no") }
      return Self.good()
    }
    #expect(try await run(transport).collected.text == "a")
    let second = ClosureTransport { _, _ throws(HybridError) in throw HybridError(code, "no") }
    let (result, failure, _) = try await run(
      second, context: ExecutionContext(patience: .seconds(2)))
    #expect(result.error == code)
    #expect(failure?.attempts.count == 1)
  }

  @Test(arguments: [ErrorCode.timeoutFirstByte, .timeoutIdle, .timeoutTotal, .tls])
  func `a sent request that found no answer in time is not sent twice`(
    code: ErrorCode
  ) async throws {
    let transport = ClosureTransport { _, _ throws(HybridError) in throw HybridError(code, "no") }
    #expect(try await run(transport).collected.error == code)
    #expect(transport.requests.count == 1)
  }

  @Test func `a reset before the answer is tried once more`() async throws {
    let transport = ClosureTransport { _, _ throws(HybridError) in
      throw HybridError(.connectionReset, "no")
    }
    #expect(try await run(transport).failure?.attempts.count == 2)
  }

  @Test(arguments: [
    "", stream(piece(#"{"role":"assistant"}"#)), stream("{broken"),
    stream(#"{"error":{"code":503,"message":"busy"}}"#), "event: error\ndata: x\n\n",
    stream(piece(#"{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{\"a"}}]}"#)),
    stream(
      piece(#"{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{\"a"}}]}"#),
      piece(finish: "tool_calls")),
    stream(piece(finish: "tool_calls"), "[DONE]"),
    stream(piece(#"{"tool_calls":"f"}"#), piece(finish: "stop"), "[DONE]"),
    stream(piece(#"{"content":7}"#), piece(finish: "stop"), "[DONE]"),
  ])
  func `an answer that fails before any output is tried again, unseen`(
    broken: String
  ) async throws {
    let log = Log()
    let transport = failing({ .scripted(broken) }, times: 1)
    let (result, _, _) = try await run(
      transport, context: ExecutionContext(onAttempt: { log.add($0) }))
    #expect(result.text == "a")
    #expect(result.completion?.finishReason == .unknown)
    #expect(transport.requests.count == 2)
    #expect(log.attempts.map { $0.failure == nil } == [false, true])
  }

  @Test func `one that fails after output is not, and keeps what came`() async throws {
    let transport = failing({ .scripted(stream(text("so "), text("far"))) }, times: 1)
    let (result, failure, _) = try await run(transport)
    #expect(result.text == "so far")
    #expect(result.error == .truncated)
    #expect(failure?.committed == true)
    #expect(failure?.partialText == "so far")
    #expect(transport.requests.count == 1)
  }

  @Test func `reasoning handed out is output too`() async throws {
    let transport = failing(
      { .scripted(stream(piece(#"{"reasoning_content":"hm"}"#))) }, times: 1)
    let (result, failure, _) = try await run(transport)
    #expect(result.error == .truncated)
    #expect(failure?.committed == true)
    #expect(transport.requests.count == 1)
  }

  @Test func `a connection that breaks after the finish reason takes nothing away`() async throws {
    let broken = HybridError(.connectionReset, "no")
    let transport = ClosureTransport { _, _ in
      .scripted(stream(text("a"), piece(finish: "stop")), failure: broken)
    }
    let (result, _, _) = try await run(transport)
    #expect(result.text == "a")
    #expect(result.completion?.finishReason == .stop)
  }

  @Test func `a refused stream option is left out, at once and from then on`() async throws {
    let transport = ClosureTransport { _, request in
      let body = String(decoding: request.body ?? [], as: UTF8.self)
      return body.contains("stream_options")
        ? .json(400, #"{"error":{"message":"Unknown field: stream_options"}}"#) : Self.good()
    }
    let client = try GatewayClient.scripted(transport, time: clock)
    #expect(await Collected.run(client).collected.text == "a")
    #expect(transport.requests.count == 2)
    #expect(await Collected.run(client).collected.text == "a")
    #expect(transport.requests.count == 3)
    #expect(clock.now() == .origin)
  }

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

  @Test func `an orderly stop while an answer is opened again ends it as cancelled`() async throws {
    let transport = ClosureTransport { _, _ in .scripted("") }
    let client = try GatewayClient.scripted(transport, time: clock)
    let stream = try await client.start(ChatRequest(prompt: "x"), in: ExecutionContext())
    let task = Task { () -> FinishReason? in
      for try await event in stream {
        if case .finished(let completion) = event { return completion.finishReason }
      }
      return nil
    }
    await clock.sleepers(atLeast: 1)
    stream.cancel()
    #expect(try await task.value == .cancelled)
  }
}

final class Log: Sendable {
  private let kept = Mutex<(attempts: [Attempt], numbers: [Int])>(([], []))

  var attempts: [Attempt] { kept.withLock { $0.attempts } }
  var numbers: [Int] { kept.withLock { $0.numbers } }

  func add(_ attempt: Attempt) { kept.withLock { $0.attempts.append(attempt) } }
  func note(_ number: Int) { kept.withLock { $0.numbers.append(number) } }
}

final class Flag: Sendable {
  private let flag: Mutex<Bool>

  init(_ value: Bool) { flag = Mutex(value) }

  var value: Bool { flag.withLock { $0 } }
  func set(_ value: Bool) { flag.withLock { $0 = value } }
}

final class Counter: Sendable {
  private let count = Mutex<UInt64>(0)

  func next() -> UInt64 {
    count.withLock { count in
      count += 1
      return count << 40
    }
  }
}

import HybridCore
import HybridRemote
import HybridTesting
import Testing

/// What is tried again, how often, and as what.
@Suite(.timeLimit(.minutes(10)))
struct RetryTests: RetryScenario {
  let clock = ManualClock()

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
}

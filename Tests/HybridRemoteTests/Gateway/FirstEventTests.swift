import HybridCore
import HybridRemote
import HybridTesting
import Synchronization
import Testing

/// The limit on the beginning of an answer, where bytes come and no answer does.
@Suite(.timeLimit(.minutes(10)))
struct FirstEventTests {
  private let clock = ManualClock()

  /// These pieces, and then nothing until the exchange is ended.
  private func transport(
    _ pieces: [String], type: String = "text/event-stream", then gate: Gate,
    cancelled: Flag = Flag(false), headAfter wait: Duration = .zero
  ) -> ClosureTransport {
    ClosureTransport { [clock] _, _ in
      clock.advance(by: wait)
      let rest = Mutex(pieces[...])
      return TransportResponse(
        status: 200, headers: ["Content-Type": type],
        body: ResponseBody(
          next: { () async throws(HybridError) in
            if let piece = rest.withLock({ $0.popFirst() }) { return Array(piece.utf8) }
            if await gate.pass() { return nil }
            throw .cancelledByTask
          }, cancel: { cancelled.set(true) }))
    }
  }

  @Test(arguments: [
    ("text/event-stream", ": still here\n\n"), ("text/event-stream", "data: : PROCESSING\n\n"),
    ("text/event-stream", "data:\n\n"), ("text/event-stream", "retry: 5\n\n"),
    ("application/json", " \n"),
  ])
  func `holds through a keep-alive and the silence after it`(
    type: String, piece: String
  ) async throws {
    let isCancelled = Flag(false)
    let client = try GatewayClient.scripted(
      transport([piece], type: type, then: Gate(), cancelled: isCancelled), time: clock)
    let task = Task { await Collected.run(client) }
    await clock.sleepers(atLeast: 1)
    #expect(clock.nextWake == Moment(sinceOrigin: .seconds(30)))
    clock.advance(by: .seconds(30))
    let (result, failure) = await task.value
    #expect(result.error == .timeoutFirstByte)
    #expect(failure?.attempts.map(\.outcome) == ["timeout.firstByte"])
    #expect(isCancelled.value)
  }

  @Test func `holds through keep-alives without end`() async throws {
    let transport = ClosureTransport { [clock] _, _ in
      // Not quite without end: a test that fails must end, too.
      let left = Counter()
      return TransportResponse(
        status: 200, headers: ["Content-Type": "text/event-stream"],
        body: ResponseBody(
          next: { () async throws(HybridError) in
            clock.advance(by: .seconds(7))
            if left.next() >> 40 > 100 { return nil }
            return Array(": still here\n\n".utf8)
          }, cancel: {}))
    }
    let client = try GatewayClient.scripted(transport, time: clock)
    #expect(await Collected.run(client).collected.error == .timeoutFirstByte)
    #expect(clock.now() == Moment(sinceOrigin: .seconds(35)))
  }

  @Test func `runs from the connection, not from the head`() async throws {
    let client = try GatewayClient.scripted(
      transport([": x\n\n"], then: Gate(), headAfter: .seconds(20)), time: clock)
    let task = Task { await Collected.run(client) }
    await clock.sleepers(atLeast: 1)
    // Connecting may have taken its 5 s, and then there were 30 s more.
    #expect(clock.nextWake == Moment(sinceOrigin: .seconds(35)))
    clock.advance(by: .seconds(15))
    #expect(await task.value.collected.error == .timeoutFirstByte)
  }

  @Test(arguments: [
    // Before the first byte the transport's own limit runs, the head included; after the first event
    // its limit on silence does. Neither needs a timer here.
    [], [": x\n\n", stream(piece(#"{"role":"assistant"}"#))], [stream(text("a"))],
  ])
  func `costs no timer but while there are only keep-alives`(pieces: [String]) async throws {
    let gate = Gate()
    let client = try GatewayClient.scripted(transport(pieces, then: gate), time: clock)
    let task = Task { await Collected.run(client) }
    await gate.arrivals()
    #expect(clock.sleeperCount == 0)
    task.cancel()
    #expect(await task.value.collected.error == .cancelled)
  }

  @Test func `a document that has begun has begun`() async throws {
    let gate = Gate()
    let pieces = [#"{"choices":[{"message":{"content":"#, #""a"},"finish_reason":"stop"}]}"#]
    let client = try GatewayClient.scripted(
      transport(pieces, type: "application/json", then: gate), time: clock)
    let task = Task { await Collected.run(client) }
    await gate.arrivals()
    clock.advance(by: .seconds(100))
    gate.open()
    #expect(await task.value.collected.text == "a")
  }

  @Test func `an orderly stop ends the wait for the first event`() async throws {
    let gate = Gate()
    let client = try GatewayClient.scripted(
      ClosureTransport { _, _ in
        let rest = Mutex([": x\n\n"][...])
        return TransportResponse(
          status: 200, headers: ["Content-Type": "text/event-stream"],
          body: ResponseBody(
            next: { () async throws(HybridError) in
              if let piece = rest.withLock({ $0.popFirst() }) { return Array(piece.utf8) }
              _ = await gate.pass()
              throw .cancelledByTask
            }, cancel: { gate.open() }))
      }, time: clock)
    let stream = try await client.start(ChatRequest(prompt: "x"), in: ExecutionContext())
    let task = Task { () -> FinishReason? in
      for try await event in stream {
        if case .finished(let completion) = event { return completion.finishReason }
      }
      return nil
    }
    await gate.arrivals()
    stream.cancel()
    #expect(try await task.value == .cancelled)
  }
}

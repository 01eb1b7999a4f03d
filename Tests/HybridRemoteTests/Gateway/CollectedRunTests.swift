import HybridCore
import HybridRemote
import HybridTesting
import Testing

/// Runs of which nothing is shown before the end: their output may be thrown away.
@Suite(.timeLimit(.minutes(10)))
struct CollectedRunTests {
  private let clock = ManualClock()

  private func run(
    _ transport: ClosureTransport, collects: Bool = true, patience: Duration? = nil
  ) async throws -> (collected: Collected, failure: HybridError?) {
    let client = try GatewayClient.scripted(transport, time: clock)
    let context = ExecutionContext(patience: patience, collects: collects)
    let isDone = Flag(false)
    async let result = {
      let result = await Collected.run(client, in: context)
      isDone.set(true)
      return result
    }()
    await clock.advance(untilDone: { isDone.value })
    return await result
  }

  private static let half = stream(text("so "), text("far"))
  private static let good = stream(text("a"), text("b"), piece(finish: "stop"), "[DONE]")

  @Test(arguments: [
    // Cut off; broken in the middle; a failure told in the stream; half a tool call.
    half, half + stream("{broken"), half + stream(#"{"error":{"code":503,"message":"busy"}}"#),
    stream(
      text("so far"),
      piece(#"{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{\"a"}}]}"#)),
    half + stream(piece(finish: "error")),
    stream(piece(#"{"reasoning_content":"hm"}"#)),
  ])
  func `a failure in the middle is made good by another try, unseen`(
    broken: String
  ) async throws {
    let transport = ClosureTransport { number, _ in .scripted(number == 1 ? broken : Self.good) }
    let (result, _) = try await run(transport)
    #expect(result.text == "ab")
    #expect(result.reasoning == "")
    #expect(result.calls == [])
    #expect(result.completion?.finishReason == .stop)
    #expect(transport.requests.count == 2)
  }

  @Test func `a reset in the middle is tried once more`() async throws {
    let reset = HybridError(.connectionReset, "gone")
    let transport = ClosureTransport { number, _ in
      number == 1 ? .scripted(Self.half, failure: reset) : .scripted(Self.good)
    }
    #expect(try await run(transport).collected.text == "ab")
    let always = ClosureTransport { _, _ in .scripted(Self.half, failure: reset) }
    let (result, failure) = try await run(always)
    #expect(result.error == .connectionReset)
    #expect(always.requests.count == 2)
    #expect(failure?.committed == false)
  }

  @Test(arguments: [ErrorCode.timeoutIdle, .timeoutTotal])
  func `what the table never repeats is not repeated`(code: ErrorCode) async throws {
    let transport = ClosureTransport { _, _ in
      .scripted(Self.half, failure: HybridError(code, "silent"))
    }
    let (result, failure) = try await run(transport)
    #expect(result.error == code)
    #expect(transport.requests.count == 1)
    #expect(failure?.committed == false)
    #expect(failure?.partialText == "so far")
  }

  @Test func `the last try's failure hands nothing out but what had arrived`() async throws {
    let transport = ClosureTransport { _, _ in .scripted(Self.half) }
    let (result, failure) = try await run(transport)
    #expect(result.text == "")
    #expect(result.error == .truncated)
    #expect(transport.requests.count == 3)
    #expect(failure?.committed == false)
    #expect(failure?.partialText == "so far")
  }

  @Test func `without it the first output binds the run`() async throws {
    let transport = ClosureTransport { number, _ in
      .scripted(number == 1 ? Self.half : Self.good)
    }
    let (result, failure) = try await run(transport, collects: false)
    #expect(result.text == "so far")
    #expect(result.error == .truncated)
    #expect(transport.requests.count == 1)
    #expect(failure?.committed == true)
  }

  @Test func `after an error nothing comes`() async throws {
    let transport = ClosureTransport { _, _ in .scripted(stream(text("a")) + "data: {x\n\n") }
    let client = try GatewayClient.scripted(transport, time: clock) { $0.retries.maximumTries = 1 }
    let answer = try await client.start(
      ChatRequest(prompt: "x"), in: ExecutionContext(collects: true))
    let events = answer.makeAsyncIterator()
    await #expect(throws: HybridError.self) { try await events.next() }
    #expect(try await events.next() == nil)
  }

  @Test func `an orderly stop keeps what came`() async throws {
    let gate = Gate()
    let transport = ClosureTransport { _, _ in
      let first = Flag(true)
      return TransportResponse(
        status: 200, headers: ["Content-Type": "text/event-stream"],
        body: ResponseBody(
          next: { () async throws(HybridError) in
            if first.value {
              first.set(false)
              return Array(Self.half.utf8)
            }
            _ = await gate.pass()
            throw .cancelledByTask
          }, cancel: { gate.open() }))
    }
    let client = try GatewayClient.scripted(transport, time: clock)
    let stream = try await client.start(
      ChatRequest(prompt: "x"), in: ExecutionContext(collects: true))
    let task = Task { () -> Collected in
      var collected = Collected()
      for try await event in stream {
        switch event {
        case .text(let text): collected.text += text
        case .finished(let completion): collected.completion = completion
        default: break
        }
      }
      return collected
    }
    await gate.arrivals()
    stream.cancel()
    let collected = try await task.value
    #expect(collected.text == "so far")
    #expect(collected.completion?.finishReason == .cancelled)
  }
}

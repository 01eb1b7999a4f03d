import HybridCore
import HybridRemote
import HybridTesting
import Testing

/// A try that fails in the middle of its answer.
@Suite(.timeLimit(.minutes(10)))
struct RetryOutputTests: RetryScenario {
  let clock = ManualClock()

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

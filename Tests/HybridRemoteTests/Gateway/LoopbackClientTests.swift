import HybridCore
import HybridRemote
import HybridTesting
import Testing

/// The client over real sockets, against a gateway that keeps to a script.
@Suite(.timeLimit(.minutes(10)))
struct LoopbackClientTests {
  private func client(
    _ gateway: LoopbackGateway, credentials: Credentials = .none,
    change: (inout GatewayOptions) -> Void = { $0.retries.maximumTries = 1 }
  ) throws -> GatewayClient {
    var options = GatewayOptions()
    change(&options)
    return try GatewayClient(
      baseURL: gateway.baseURL, model: "m", credentials: credentials, options: options)
  }

  @Test func `the first delta is seen before the second is sent`() async throws {
    let gateway = try LoopbackGateway { _ in
      [
        .streamHead(), .event(text("one")), .waitForSignal, .event(text("two")),
        .event(piece(finish: "stop")), .event("[DONE]"), .close,
      ]
    }
    let stream = try await client(gateway).start(ChatRequest(prompt: "x"), in: ExecutionContext())
    let events = stream.makeAsyncIterator()
    #expect(try await events.next() == .text("one"))
    gateway.signal()
    #expect(try await events.next() == .text("two"))
    guard case .finished(let completion) = try await events.next() else {
      Issue.record("no end")
      return
    }
    #expect(completion.finishReason == .stop)
    #expect(completion.timings.firstToken != nil)
    #expect(try await events.next() == nil)
  }

  @Test func `start returns once the gateway has accepted the call`() async throws {
    let gateway = try LoopbackGateway { _ in [.streamHead(), .waitForSignal, .event("[DONE]")] }
    let stream = try await client(gateway).start(ChatRequest(prompt: "x"), in: ExecutionContext())
    gateway.signal()
    for try await _ in stream {}
  }

  @Test func `done ends the answer while the connection stays open`() async throws {
    let gateway = try LoopbackGateway { _ in
      [.streamHead(), .event(text("a")), .event("[DONE]"), .stall]
    }
    let (result, _) = await Collected.run(try client(gateway))
    #expect(result.text == "a")
    #expect(await gateway.clientLeft())
  }

  @Test(arguments: [401, 402, 403, 404, 422, 429, 500, 503])
  func `a refusal comes before any output`(status: Int) async throws {
    let gateway = try LoopbackGateway { _ in [.response(status, #"{"error":{"message":"no"}}"#)] }
    let client = try client(gateway)
    let error = await #expect(throws: HybridError.self) {
      try await client.start(ChatRequest(prompt: "x"), in: ExecutionContext())
    }
    #expect(error?.gateway?.status == status)
    #expect(error?.gateway?.message == "no")
  }

  @Test(arguments: [GatewayStep.close, .reset])
  func `an answer cut off at any piece is never whole`(end: GatewayStep) async throws {
    let pieces = [text("a"), text("b"), text("c")]
    for count in 0...pieces.count {
      let gateway = try LoopbackGateway { _ in
        [.streamHead()] + pieces.prefix(count).map { GatewayStep.event($0) } + [
          .waitForSignal, end,
        ]
      }
      let stream = try await client(gateway).start(ChatRequest(prompt: "x"), in: ExecutionContext())
      var text = ""
      let events = stream.makeAsyncIterator()
      for _ in 0..<count {
        if case .text(let piece) = try await events.next() { text += piece }
      }
      gateway.signal()
      let error = await #expect(throws: HybridError.self) { try await events.next() }
      #expect(error?.code == (end == .close ? .truncated : .connectionReset))
      #expect(error?.partialText ?? "" == text)
      #expect(error?.committed == (count > 0))
      #expect(text == "abc".prefix(count))
    }
  }

  @Test func `a chunked body cut off is truncated`() async throws {
    let gateway = try LoopbackGateway { _ in
      [.chunkedStreamHead(), .chunk("data: \(text("a"))\n\n"), .close]
    }
    let (result, failure) = await Collected.run(try client(gateway))
    #expect(result.text == "a")
    #expect(failure?.code == .truncated)
  }

  @Test func `a dropped stream closes the connection`() async throws {
    let gateway = try LoopbackGateway { _ in [.streamHead(), .event(text("a")), .stall] }
    do {
      let stream = try await client(gateway).start(ChatRequest(prompt: "x"), in: ExecutionContext())
      #expect(try await stream.makeAsyncIterator().next() == .text("a"))
    }
    #expect(await gateway.clientLeft())
  }

  @Test func `an orderly stop keeps what came`() async throws {
    let log = Log()
    let gateway = try LoopbackGateway { _ in [.streamHead(), .event(text("a")), .stall] }
    let stream = try await client(gateway).start(
      ChatRequest(prompt: "x"), in: ExecutionContext(onAttempt: { log.add($0) }))
    let events = stream.makeAsyncIterator()
    #expect(try await events.next() == .text("a"))
    stream.cancel()
    guard case .finished(let completion) = try await events.next() else {
      Issue.record("no end")
      return
    }
    #expect(completion.finishReason == .cancelled)
    #expect(try await events.next() == nil)
    #expect(log.attempts.map(\.failure) == [.cancelled])
    #expect(await gateway.clientLeft())
  }

  @Test func `a cancelled task ends the answer`() async throws {
    let gateway = try LoopbackGateway { _ in [.streamHead(), .event(text("a")), .stall] }
    let stream = try await client(gateway).start(ChatRequest(prompt: "x"), in: ExecutionContext())
    let (seen, continuation) = AsyncStream<Void>.makeStream()
    let task = Task {
      for try await _ in stream { continuation.finish() }
    }
    for await _ in seen {}
    task.cancel()
    let error = await #expect(throws: HybridError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(error?.partialText == "a")
    #expect(await gateway.clientLeft())
  }

  @Test func `cancelling while the gateway thinks ends the call`() async throws {
    let gateway = try LoopbackGateway { _ in [.stall] }
    let client = try client(gateway)
    let task = Task { try await client.start(ChatRequest(prompt: "x"), in: ExecutionContext()) }
    for await event in gateway.events {
      if case .request = event { break }
    }
    task.cancel()
    let result = await task.result
    let error = #expect(throws: HybridError.self) { try result.get() }
    #expect(error?.code == .cancelled)
    #expect(await gateway.clientLeft())
  }

  @Test func `the deadline ends a silent call`() async throws {
    let gateway = try LoopbackGateway { _ in [.streamHead(), .event(text("a")), .stall] }
    let client = try client(gateway)
    let time = SystemTimeSource()
    let deadline = time.now() + .milliseconds(100)
    let (result, failure) = await Collected.run(client, in: ExecutionContext(deadline: deadline))
    #expect(result.error == .deadlineExceeded)
    #expect(failure?.partialText ?? "" == result.text)
  }

  @Test func `nobody there`() async throws {
    let gateway = try LoopbackGateway { _ in [] }
    let client = try client(gateway)
    gateway.stop()
    let (result, failure) = await Collected.run(client)
    #expect(result.error == .connectionRefused)
    #expect(failure?.attempts.map(\.outcome) == ["connection.refused"])
  }

  /// The codes of redirects, where they lead, and the headers that must not follow.
  @Test(arguments: [301, 302, 303, 307, 308], ["same", "port", "host", "downgrade", "user"])
  func `a redirect never carries a secret on`(status: Int, target: String) async throws {
    let other = try LoopbackGateway { _ in [.response(200, "{}")] }
    let location =
      switch target {
      case "same": "/v2/chat/completions"
      case "port": "http://127.0.0.1:\(other.port)/v1"
      case "host": "http://localhost:\(other.port)/v1"
      case "downgrade": "http://127.0.0.2:\(other.port)/"
      default: "http://user:pass@127.0.0.1:\(other.port)/v1"
      }
    let gateway = try LoopbackGateway { _ in
      [.response(status, "", headers: [("Location", location)])]
    }
    for header in ["Authorization", "api-key", "x-api-key", "Cookie"] {
      let client = try client(gateway, credentials: .key(Secret("canary"), header: .named(header)))
      let (result, failure) = await Collected.run(client)
      #expect(result.error == .redirectRefused)
      #expect(failure?.description.contains("canary") == false)
      #expect(failure?.description.contains("pass") == false)
    }
    #expect(gateway.requests.count == 4)
    #expect(gateway.requests.allSatisfy { $0.target == "/v1/chat/completions" })
    #expect(other.connections == 0)
  }

  @Test func `a status opens no socket`() async throws {
    let gateway = try LoopbackGateway { _ in [] }
    let client = try client(gateway)
    #expect(await client.status(model: nil).origin == "http://127.0.0.1:\(gateway.port)")
    #expect(gateway.connections == 0)
  }

  @Test func `two hundred streams at once all come whole`() async throws {
    let gateway = try LoopbackGateway { request in
      [.chunkedStreamHead()]
        + (0..<20).map { .chunk("data: \(text("\(request.number):\($0) "))\n\n") }
        + [.chunk("data: [DONE]\n\n"), .lastChunk]
    }
    let client = try client(gateway)
    let texts = await withTaskGroup(of: String.self) { group in
      for _ in 0..<200 { group.addTask { await Collected.run(client).collected.text } }
      return await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    let expected = (1...200).map { number in (0..<20).map { "\(number):\($0) " }.joined() }
    #expect(texts == Set(expected))
  }
}

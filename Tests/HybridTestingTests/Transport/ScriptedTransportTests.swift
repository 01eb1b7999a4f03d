import HybridCore
import HybridRemote
import HybridTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ScriptedTransportTests {
  let request = TransportRequest(method: "POST", url: "https://gateway.example/v1/chat")

  func client(_ transport: ScriptedTransport) throws -> GatewayClient {
    var options = GatewayOptions()
    options.transport = transport
    options.time = ManualClock()
    return try GatewayClient(
      baseURL: "https://gateway.example/v1", model: "m", options: options)
  }

  @Test func `a gateway client reads a scripted answer as it reads a gateway's`() async throws {
    let transport = ScriptedTransport(.answer("Hel", "lo", model: "big", promptTokens: 9))
    var text = ""
    var completion: Completion?
    let stream = try await client(transport)
      .start(ChatRequest(prompt: "Hi"), in: ExecutionContext())
    for try await event in stream {
      switch event {
      case .text(let piece): text += piece
      case .finished(let end): completion = end
      default: break
      }
    }
    #expect(text == "Hello")
    #expect(completion?.finishReason == .stop)
    #expect(completion?.model == "big")
    #expect(completion?.usage == Usage(promptTokens: 9, completionTokens: 2, counted: true))
    let sent = try #require(transport.requests.first)
    #expect(sent.url == "https://gateway.example/v1/chat/completions")
    #expect(try JSONReader().read(sent.body ?? [])["model"] == "m")
  }

  @Test func `a refusal is the error that a gateway's would be`() async throws {
    let transport = ScriptedTransport(.refusal(401, message: "no such key"))
    let error = await #expect(throws: HybridError.self) {
      try await client(transport).start(ChatRequest(prompt: "Hi"), in: ExecutionContext())
    }
    #expect(error?.code == .authentication)
    #expect(error?.gateway?.status == 401)
  }

  @Test func `each request takes the next exchange and the last one stays`() async throws {
    let transport = ScriptedTransport(.response(500), .response(204))
    var statuses: [Int] = []
    for _ in 0..<3 { statuses.append(try await transport.send(request).status) }
    #expect(statuses == [500, 204, 204])
    #expect(transport.requests.count == 3)
  }

  @Test func `no second piece comes before its gate is opened`() async throws {
    let gate = Gate()
    let transport = ScriptedTransport(
      ScriptedExchange(steps: [.bytes([1]), .gate(gate), .bytes([2, 3])]))
    let pieces = Log<[UInt8]>()
    let body = try await transport.send(request).body
    let reader = Task { for try await piece in body { pieces.add(piece) } }
    await gate.arrivals()
    #expect(pieces.entries == [[1]])
    gate.open()
    try await reader.value
    #expect(pieces.entries == [[1], [2, 3]])
    #expect(transport.cancellations == 0)
  }

  @Test(
    arguments: [
      (
        TransportLimits(firstByte: .seconds(30), total: .seconds(600)), 0,
        ErrorCode.timeoutFirstByte
      ),
      (TransportLimits(firstByte: .seconds(30), total: .seconds(20)), 0, .timeoutTotal),
      (TransportLimits(firstByte: .seconds(30), idle: .seconds(45)), 1, .timeoutIdle),
      (TransportLimits(), 0, nil),
    ] as [(TransportLimits, Int, ErrorCode?)])
  func `a wait ends at the limit that comes first`(
    limits: TransportLimits, piecesBefore: Int, code: ErrorCode?
  ) async throws {
    let clock = ManualClock()
    let before = Array(repeating: ScriptedExchange.Step.bytes([1]), count: piecesBefore)
    let transport = ScriptedTransport(
      ScriptedExchange(steps: before + [.wait(.seconds(100)), .bytes([2])]), time: clock)
    var limited = request
    limited.limits = limits
    let body = try await transport.send(limited).body
    let reader = Task { for try await _ in body {} }
    await clock.sleepers(atLeast: 1)
    clock.advanceToNextSleeper()
    if let code {
      let error = await #expect(throws: HybridError.self) { try await reader.value }
      #expect(error?.code == code)
    } else {
      try await reader.value
    }
  }

  @Test func `an exchange that is cancelled ends at once and is counted`() async throws {
    let gate = Gate()
    let transport = ScriptedTransport(ScriptedExchange(steps: [.gate(gate), .bytes([1])]))
    let body = try await transport.send(request).body
    let reader = Task { for try await _ in body {} }
    await gate.arrivals()
    reader.cancel()
    let error = await #expect(throws: HybridError.self) { try await reader.value }
    #expect(error?.code == .cancelled)
    #expect(transport.cancellations == 1)

    let silent = ScriptedTransport(ScriptedExchange(opening: [.gate(Gate())]))
    let sender = Task { try await silent.send(request) }
    sender.cancel()
    await #expect(throws: HybridError.self) { try await sender.value }
  }

  @Test func `a connection that fails gives no response`() async {
    let transport = ScriptedTransport(
      .failing(HybridError(.connectionRefused, "nobody listens", side: .remote)))
    let error = await #expect(throws: HybridError.self) { try await transport.send(request) }
    #expect(error?.code == .connectionRefused)
  }
}

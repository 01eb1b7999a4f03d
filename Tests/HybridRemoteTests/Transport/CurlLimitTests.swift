import HybridCore
import HybridRemote
import HybridTesting
import Testing

/// Limits by libcurl's own clock: tens of milliseconds, since that clock cannot be stood still.
@Suite(.timeLimit(.minutes(10)))
struct CurlLimitTests {
  private let transport = CurlTransport()
  private static let short = Duration.milliseconds(60)

  private func send(
    _ gateway: LoopbackGateway, _ limits: TransportLimits
  ) async throws(HybridError) -> TransportResponse {
    try await transport.send(
      TransportRequest(method: "POST", url: gateway.baseURL, body: [], limits: limits))
  }

  @Test func `silence before the head passes the first-byte limit`() async throws {
    let gateway = try LoopbackGateway { _ in [.stall] }
    let error = await #expect(throws: HybridError.self) {
      try await send(gateway, TransportLimits(firstByte: Self.short))
    }
    #expect(error?.code == .timeoutFirstByte)
    // The limit also ends the connection.
    #expect(await gateway.clientLeft())
  }

  @Test func `silence between head and body passes it too`() async throws {
    let gateway = try LoopbackGateway { _ in [.streamHead(), .stall] }
    let error = await #expect(throws: HybridError.self) {
      // On a busy machine the limit may pass before the head is there; it is the same limit.
      try await send(gateway, TransportLimits(firstByte: Self.short)).body.text()
    }
    #expect(error?.code == .timeoutFirstByte)
  }

  @Test func `silence in the body passes the idle limit`() async throws {
    let gateway = try LoopbackGateway { _ in [.streamHead(), .event("1"), .stall] }
    let response = try await send(gateway, TransportLimits(idle: Self.short))
    let error = await #expect(throws: HybridError.self) { try await response.body.text() }
    #expect(error?.code == .timeoutIdle)
    #expect(error?.description.contains("0.06 s") == true)
  }

  @Test func `the total limit holds in every phase`() async throws {
    let limits = TransportLimits(total: Self.short)
    let silent = try LoopbackGateway { _ in [.stall] }
    let first = await #expect(throws: HybridError.self) { try await send(silent, limits) }
    #expect(first?.code == .timeoutTotal)
    let begun = try LoopbackGateway { _ in [.streamHead(), .event("1"), .stall] }
    let second = await #expect(throws: HybridError.self) {
      try await send(begun, limits).body.text()
    }
    #expect(second?.code == .timeoutTotal)
  }

  @Test func `a handshake that never ends passes the connect limit`() async throws {
    let gateway = try LoopbackGateway(greeting: [.stall]) { _ in [] }
    let error = await #expect(throws: HybridError.self) {
      try await transport.send(
        TransportRequest(
          method: "GET", url: "https://127.0.0.1:\(gateway.port)",
          limits: TransportLimits(connect: Self.short)))
    }
    #expect(error?.code == .timeoutConnect)
  }

  @Test func `the idle limit stands still while nobody pulls`() async throws {
    let gateway = try LoopbackGateway { _ in
      [.streamHead(), .send([UInt8](repeating: 0x20, count: 8 << 20)), .event("end"), .close]
    }
    let response = try await send(gateway, TransportLimits(idle: .seconds(5), total: .seconds(600)))
    var body = response.body.makeAsyncIterator()
    var count = try await body.next()?.count ?? 0
    // Longer than the limit; another exchange's time passes meanwhile.
    let other = try LoopbackGateway { _ in [.stall] }
    _ = try? await send(other, TransportLimits(firstByte: .seconds(6)))
    // What was not pulled was not read: the sockets' buffers and the channel hold far less than all.
    #expect(gateway.sentBytes < 8 << 20)
    while let bytes = try await body.next() { count += bytes.count }
    #expect(count == 8 << 20 + "data: end\n\n".utf8.count)
  }
}

extension LoopbackGateway {
  /// Waits until a client closes its connection.
  func clientLeft() async -> Bool {
    for await event in events {
      if case .clientLeft = event { return true }
    }
    return false
  }
}

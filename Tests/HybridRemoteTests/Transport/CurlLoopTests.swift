import HybridCore
import HybridTesting
import Synchronization
import Testing

@testable import HybridRemote

/// What becomes of requests whose thread cannot be made, or ends.
@Suite(.timeLimit(.minutes(10)))
struct CurlLoopTests {
  private static let none = HybridError(.internal, "no thread", side: .remote)

  private func start(
    _ loop: CurlLoop, _ gateway: LoopbackGateway, _ path: String
  ) throws(HybridError) -> EventChannel<CurlTransfer.Part> {
    let url = gateway.baseURL + path
    return try loop.start(
      TransportRequest(method: "GET", url: url), url: try HTTPURL(url)
    ).channel
  }

  @Test func `a request that found no thread is never sent`() async throws {
    let gateway = try LoopbackGateway { _ in [.response(200, "{}")] }
    let hasFailed = Flag(false)
    let loop = CurlLoop(
      options: .system,
      startThread: { body throws(HybridError) in
        if !hasFailed.value {
          hasFailed.set(true)
          throw Self.none
        }
        try OwnThread.start(for: .remote, body)
      })
    let error = #expect(throws: HybridError.self) { try start(loop, gateway, "/first") }
    #expect(error?.message == "no thread")
    // The next one gets its thread, and finds nothing left behind.
    let channel = try start(loop, gateway, "/second")
    while try await channel.next() != nil {}
    #expect(gateway.requests.map(\.target) == ["/v1/second"])
    loop.stop()
  }

  @Test func `requests that came while the thread was being made fail with it`() async throws {
    let gateway = try LoopbackGateway { _ in [.response(200, "{}")] }
    let place = Mutex<(loop: CurlLoop?, other: EventChannel<CurlTransfer.Part>?)>((nil, nil))
    let loop = CurlLoop(
      options: .system,
      startThread: { _ throws(HybridError) in
        guard let loop = place.withLock({ $0.loop }) else { return }
        let other = try start(loop, gateway, "/other")
        place.withLock { $0.other = other }
        throw Self.none
      })
    place.withLock { $0.loop = loop }
    #expect(throws: HybridError.self) { try start(loop, gateway, "/first") }
    let other = try #require(place.withLock { $0.other })
    let error = await #expect(throws: HybridError.self) { try await other.next() }
    #expect(error?.message == "no thread")
    place.withLock { $0 = (nil, nil) }
    #expect(gateway.connections == 0)
  }

  @Test func `requests that meet the stop are told so`() async throws {
    let gateway = try LoopbackGateway { _ in [.response(200, "{}")] }
    let thread = Mutex<(@Sendable () -> Void)?>(nil)
    let loop = CurlLoop(
      options: .system, startThread: { body in thread.withLock { $0 = body } })
    let channel = try start(loop, gateway, "/first")
    loop.stop()
    try OwnThread.start(for: .remote, try #require(thread.withLock { $0.take() }))
    let error = await #expect(throws: HybridError.self) { try await channel.next() }
    #expect(error?.code == .cancelled)
    let late = #expect(throws: HybridError.self) { try start(loop, gateway, "/late") }
    #expect(late?.code == .cancelled)
    #expect(gateway.connections == 0)
  }
}

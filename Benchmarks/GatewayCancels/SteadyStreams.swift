import HybridCore
import HybridRemote
import HybridTesting
import Synchronization

/// Streams that get an event every few milliseconds, and note how late each is read.
final class SteadyStreams: Sendable {
  private struct Stream: Sendable {
    let gateway: LoopbackGateway
    let reading: Task<[Moment], Never>
    let sending: Task<[Moment], Never>
  }

  private let streams: [Stream]
  private let isEnding = Flag()

  /// Returns once each was accepted.
  init(count: Int, transport: CurlTransport) async throws {
    let time = SystemTimeSource()
    var streams: [Stream] = []
    for _ in 0..<count {
      // More than a run needs; each waits for its signal.
      let events = Array(repeating: [GatewayStep.waitForSignal, .event("1")], count: 20_000)
        .joined()
      let gateway = try LoopbackGateway { _ in [.streamHead()] + events }
      let body = try await transport.send(
        TransportRequest(method: "POST", url: gateway.baseURL, body: [])
      ).body
      let reading = Task { () async -> [Moment] in
        var moments: [Moment] = []
        var pieces = body.makeAsyncIterator()
        while let piece = try? await pieces.next() {
          // Two events may come in one piece.
          for _ in 0..<(piece.count / "data: 1\n\n".utf8.count) { moments.append(time.now()) }
        }
        return moments
      }
      let sending = Task { [isEnding] () async -> [Moment] in
        var moments: [Moment] = []
        while !isEnding.value, moments.count < 20_000 {
          moments.append(time.now())
          gateway.signal()
          try? await time.sleep(until: time.now() + .milliseconds(5))
        }
        return moments
      }
      streams.append(Stream(gateway: gateway, reading: reading, sending: sending))
    }
    self.streams = streams
  }

  /// - Returns: milliseconds from each event's being let go until it was read, and how many were.
  func end() async -> (delays: [Double], expected: Int) {
    isEnding.set()
    var delays: [Double] = []
    var expected = 0
    for stream in streams {
      let sent = await stream.sending.value
      // The last events are on their way; the end comes after them.
      while stream.gateway.sentBytes < Self.bytes(events: sent.count) { await Task.yield() }
      stream.gateway.stop()
      let read = await stream.reading.value
      expected += sent.count
      delays += zip(sent, read).map { ($1 - $0) / .milliseconds(1) }
    }
    return (delays, expected)
  }

  private static func bytes(events: Int) -> Int {
    let head =
      "HTTP/1.1 200 Scripted\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
    return head.utf8.count + events * "data: 1\n\n".utf8.count
  }
}

private final class Flag: Sendable {
  private let flag = Atomic(false)

  var value: Bool { flag.load(ordering: .relaxed) }

  func set() { flag.store(true, ordering: .relaxed) }
}

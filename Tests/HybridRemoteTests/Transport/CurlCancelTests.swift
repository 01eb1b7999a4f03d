import HybridCore
import HybridRemote
import HybridTesting
import Testing

/// Cancelling in every phase of an exchange: the caller is told at once, the gateway sees it.
@Suite(.timeLimit(.minutes(10)))
struct CurlCancelTests {
  private let transport = CurlTransport()

  private func request(_ gateway: LoopbackGateway) -> TransportRequest {
    TransportRequest(method: "POST", url: gateway.baseURL, body: [])
  }

  @Test func `while the head is awaited`() async throws {
    let gateway = try LoopbackGateway { _ in [.stall] }
    let task = Task { [request = request(gateway)] in try await transport.send(request) }
    for await event in gateway.events {
      if case .request = event { break }
    }
    task.cancel()
    let result = await task.result
    #expect(throws: HybridError.self) { try result.get() }
    #expect(await gateway.clientLeft())
  }

  @Test func `before it began`() async throws {
    let gateway = try LoopbackGateway { _ in [.response(200, "{}")] }
    let task = Task { [request = request(gateway)] in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await transport.send(request)
    }
    let error = await #expect(throws: HybridError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  @Test func `while the body is awaited`() async throws {
    let gateway = try LoopbackGateway { _ in [.streamHead(), .event("1"), .stall] }
    let response = try await transport.send(request(gateway))
    let (seen, seenContinuation) = AsyncStream<Void>.makeStream()
    let task = Task {
      for try await _ in response.body { seenContinuation.finish() }
    }
    for await _ in seen {}
    task.cancel()
    let error = await #expect(throws: HybridError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(await gateway.clientLeft())
  }

  @Test func `by the body's own cancel`() async throws {
    let gateway = try LoopbackGateway { _ in [.streamHead(), .event("1"), .stall] }
    let response = try await transport.send(request(gateway))
    var body = response.body.makeAsyncIterator()
    _ = try await body.next()
    response.body.cancel()
    let error = await #expect(throws: HybridError.self) { try await body.next() }
    #expect(error?.code == .cancelled)
    #expect(await gateway.clientLeft())
  }

  @Test func `by dropping the response`() async throws {
    let gateway = try LoopbackGateway { _ in [.streamHead(), .event("1"), .stall] }
    do {
      let response = try await transport.send(request(gateway))
      #expect(response.status == 200)
    }
    #expect(await gateway.clientLeft())
  }

  @Test func `a body outlives the transport that began it`() async throws {
    let gateway = try LoopbackGateway { _ in
      [.streamHead(), .event("1"), .waitForSignal, .event("2"), .close]
    }
    let response = try await CurlTransport().send(request(gateway))
    var body = response.body.makeAsyncIterator()
    _ = try await body.next()
    gateway.signal()
    #expect(try await body.next() == Array("data: 2\n\n".utf8))
  }

  @Test func `cancelled at random moments, no connection stays`() async throws {
    let gateway = try LoopbackGateway { _ in
      [.streamHead(), .event("1"), .event("2"), .stall]
    }
    let request = request(gateway)
    var random = SeededGenerator(seed: 7)
    do {
      let transport = CurlTransport()
      for _ in 0..<40 {
        let tasks = (0..<5).map { _ in
          Task { try await transport.send(request).body.text() }
        }
        // From before anything was sent to after everything came.
        for _ in 0..<Int.random(in: 0...300, using: &random) { await Task.yield() }
        for task in tasks { task.cancel() }
        for task in tasks {
          let error = await #expect(throws: HybridError.self) { try await task.value }
          #expect(error?.code == .cancelled)
        }
      }
    }
    // Connections are accepted in their order: after one more, no earlier one is still to come.
    let last = try await CurlTransport().send(request)
    last.body.cancel()
    let total = gateway.connections
    var left = 0
    for await event in gateway.events {
      if case .clientLeft = event { left += 1 }
      if left == total { break }
    }
    #expect(left == total)
  }

  @Test func `many at once, half of them cancelled, end once each`() async throws {
    let gateway = try LoopbackGateway { request in
      request.number.isMultiple(of: 2)
        ? [.streamHead(), .event("1"), .stall] : [.streamHead(), .event("1"), .event("2"), .close]
    }
    let request = request(gateway)
    let outcomes = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<100 {
        group.addTask {
          do {
            let response = try await transport.send(request)
            var text = ""
            for try await piece in response.body {
              text += String(decoding: piece, as: UTF8.self)
            }
            return text
          } catch {
            return nil
          }
        }
      }
      // The even ones never end by themselves.
      var done: [String] = []
      while done.count < 50, let outcome = await group.next() {
        if let outcome { done.append(outcome) }
      }
      group.cancelAll()
      for await outcome in group where outcome != nil { done.append("late") }
      return done
    }
    #expect(outcomes == Array(repeating: "data: 1\n\ndata: 2\n\n", count: 50))
  }
}

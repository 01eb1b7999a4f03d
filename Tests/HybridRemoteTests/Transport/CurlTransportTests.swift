import HybridCore
import HybridRemote
import HybridTesting
import Testing

/// The libcurl transport against a gateway that keeps to a script.
@Suite(.timeLimit(.minutes(10)))
struct CurlTransportTests {
  private let transport = CurlTransport()

  private func post(
    _ gateway: LoopbackGateway, body: String = "{}", headers: HTTPHeaders = [:],
    limits: TransportLimits = TransportLimits(total: .seconds(300))
  ) -> TransportRequest {
    TransportRequest(
      method: "POST", url: gateway.baseURL + "/chat/completions", headers: headers,
      body: Array(body.utf8), limits: limits)
  }

  @Test func `a request arrives as it was written`() async throws {
    let gateway = try LoopbackGateway { _ in [.response(200, "{}")] }
    let body = String(repeating: "x", count: 2_000_000)
    let response = try await transport.send(
      post(gateway, body: body, headers: ["X-One": "1", "X-Empty": "", "x-one": "2"]))
    #expect(response.status == 200)
    #expect(response.version == .http11)
    #expect(response.headers["content-TYPE"] == "application/json")
    #expect(try await response.body.text() == "{}")
    let request = try #require(gateway.requests.first)
    #expect(request.method == "POST")
    #expect(request.target == "/v1/chat/completions")
    #expect(request.bodyText == body)
    #expect(request.header("Expect") == nil)
    #expect(request.header("Accept-Encoding") == "identity")
    #expect(request.header("X-Empty") == "")
    #expect(request.headers.filter { $0.name.lowercased() == "x-one" }.map(\.value) == ["1", "2"])
  }

  @Test(arguments: ["GET", "DELETE", "PUT"])
  func `other methods go out too`(method: String) async throws {
    let gateway = try LoopbackGateway { _ in [.response(200, "{}")] }
    let response = try await transport.send(
      TransportRequest(
        method: method, url: gateway.baseURL + "/models", body: method == "PUT" ? [1, 0, 2] : nil))
    #expect(try await response.body.text() == "{}")
    #expect(gateway.requests.first?.method == method)
    #expect(gateway.requests.first?.body == (method == "PUT" ? [1, 0, 2] : []))
  }

  @Test func `the first piece is seen before the second is sent`() async throws {
    let gateway = try LoopbackGateway { _ in
      [.streamHead(), .event("1"), .waitForSignal, .event("2"), .close]
    }
    let response = try await transport.send(post(gateway))
    var body = response.body.makeAsyncIterator()
    // The gateway sends the second piece only after this one was seen.
    #expect(try await body.next() == Array("data: 1\n\n".utf8))
    gateway.signal()
    #expect(try await body.next() == Array("data: 2\n\n".utf8))
    #expect(try await body.next() == nil)
  }

  @Test func `the head is there before the body begins`() async throws {
    let gateway = try LoopbackGateway { _ in [.streamHead(), .waitForSignal, .close] }
    let response = try await transport.send(post(gateway))
    #expect(response.status == 200)
    gateway.signal()
    #expect(try await response.body.text() == "")
  }

  @Test func `connections are used again`() async throws {
    let gateway = try LoopbackGateway { _ in [.response(200, "{}")] }
    for _ in 0..<5 {
      let response = try await transport.send(post(gateway))
      #expect(try await response.body.text() == "{}")
    }
    #expect(gateway.requests.count == 5)
    #expect(gateway.connections == 1)
  }

  @Test func `a body that is not needed to its end leaves its connection to the next`() async throws
  {
    let gateway = try LoopbackGateway { _ in
      [.chunkedStreamHead(), .chunk("a"), .chunk("b"), .lastChunk]
    }
    var events = gateway.events.makeAsyncIterator()
    for _ in 0..<3 {
      let response = try await transport.send(post(gateway))
      var body = response.body.makeAsyncIterator()
      #expect(try await body.next() == Array("a".utf8))
      response.body.finish()
      while case .some(let event) = await events.next() {
        if case .answered = event { break }
      }
    }
    #expect(gateway.connections == 1)
  }

  @Test func `one whose end does not come is closed soon`() async throws {
    let gateway = try LoopbackGateway { _ in [.chunkedStreamHead(), .chunk("a"), .stall] }
    let response = try await transport.send(post(gateway))
    var body = response.body.makeAsyncIterator()
    #expect(try await body.next() == Array("a".utf8))
    response.body.finish()
    #expect(await gateway.clientLeft())
  }

  @Test func `interim heads are passed over`() async throws {
    let gateway = try LoopbackGateway { _ in
      [
        .send("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"),
        .response(201, "{}", headers: [("X-A", "\tb ")]),
      ]
    }
    let response = try await transport.send(post(gateway))
    #expect(response.status == 201)
    #expect(response.headers["link"] == nil)
    #expect(response.headers["x-a"] == "b")
  }

  @Test func `a body cut short of its length is truncated`() async throws {
    let gateway = try LoopbackGateway { _ in
      [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .close]
    }
    let response = try await transport.send(post(gateway))
    let error = await #expect(throws: HybridError.self) { try await response.body.text() }
    #expect(error?.code == .truncated)
  }

  @Test func `a chunked body without its last chunk is truncated`() async throws {
    let gateway = try LoopbackGateway { _ in [.chunkedStreamHead(), .chunk("abc"), .close] }
    let response = try await transport.send(post(gateway))
    let error = await #expect(throws: HybridError.self) { try await response.body.text() }
    #expect(error?.code == .truncated)
  }

  @Test func `a reset in the middle is a broken connection`() async throws {
    let gateway = try LoopbackGateway { _ in
      [.streamHead(), .event("1"), .waitForSignal, .reset]
    }
    let response = try await transport.send(post(gateway))
    var body = response.body.makeAsyncIterator()
    #expect(try await body.next() != nil)
    gateway.signal()
    let error = await #expect(throws: HybridError.self) { try await body.next() }
    #expect(error?.code == .connectionReset)
  }

  @Test(arguments: [GatewayStep.close, .reset])
  func `a connection closed at once was reset`(step: GatewayStep) async throws {
    let gateway = try LoopbackGateway(greeting: [step]) { _ in [] }
    let error = await #expect(throws: HybridError.self) {
      try await transport.send(post(gateway))
    }
    #expect(error?.code == .connectionReset)
    #expect(error?.side == .remote)
  }

  @Test func `a port where nobody listens refuses`() async throws {
    let gateway = try LoopbackGateway { _ in [] }
    let request = post(gateway)
    gateway.stop()
    let error = await #expect(throws: HybridError.self) { try await transport.send(request) }
    #expect(error?.code == .connectionRefused)
    #expect(error?.description.contains("127.0.0.1:\(gateway.port)") == true)
  }

  @Test(arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "220 mail ESMTP\r\n", "HTTP/7.5 200 OK\r\n\r\n"])
  func `another protocol is not HTTP`(greeting: String) async throws {
    let gateway = try LoopbackGateway(greeting: [.send(greeting), .stall]) { _ in [] }
    let error = await #expect(throws: HybridError.self) { try await transport.send(post(gateway)) }
    let told = try #require(error)
    #expect(told.code == .notHTTP)
    #expect(told.message.contains("does not speak HTTP"))
    // Like everything that is not a gateway: the other side takes over, and it is reported.
    let row = FailureTable.standard.row(for: told.code)
    #expect(row.kind == .wrongProtocol)
    #expect(row.fallback == .reported)
  }

  @Test func `TLS towards a plain port fails as TLS`() async throws {
    let gateway = try LoopbackGateway(greeting: [.send("HTTP/1.1 400 Bad\r\n\r\n"), .stall]) { _ in
      []
    }
    var request = post(gateway)
    request.url = "https" + request.url.dropFirst(4)
    let error = await #expect(throws: HybridError.self) { try await transport.send(request) }
    #expect(error?.code == .tls)
  }

  @Test func `a redirect is handed back and not followed`() async throws {
    let other = try LoopbackGateway { _ in [.response(200, "{}")] }
    let gateway = try LoopbackGateway { [url = other.baseURL] _ in
      [.response(307, "", headers: [("Location", url)])]
    }
    let response = try await transport.send(post(gateway, headers: ["Authorization": "Bearer k"]))
    #expect(response.status == 307)
    #expect(other.connections == 0)
  }

  @Test func `endless headers are refused`() async throws {
    let header = "X-Fill: " + String(repeating: "y", count: 8000) + "\r\n"
    let gateway = try LoopbackGateway { _ in
      [.send("HTTP/1.1 200 OK\r\n" + String(repeating: header, count: 60)), .stall]
    }
    let error = await #expect(throws: HybridError.self) { try await transport.send(post(gateway)) }
    #expect(error?.code == .tooLarge)
  }

  @Test func `one endless header line is refused`() async throws {
    let fill = String(repeating: "y", count: 1 << 20)
    let gateway = try LoopbackGateway { _ in
      [.send("HTTP/1.1 200 OK\r\nX-Fill: " + fill), .stall]
    }
    let error = await #expect(throws: HybridError.self) { try await transport.send(post(gateway)) }
    let told = try #require(error)
    #expect(told.code == .tooLarge, "\(told) \(told.details)")
    #expect(told.message.contains("header"))
    #expect(FailureTable.standard.row(for: told.code).kind == .wrongProtocol)
  }
}

extension ResponseBody {
  func text() async throws -> String {
    var bytes: [UInt8] = []
    for try await piece in self { bytes += piece }
    return String(decoding: bytes, as: UTF8.self)
  }
}

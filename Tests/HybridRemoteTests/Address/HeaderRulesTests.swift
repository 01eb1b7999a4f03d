import HybridCore
import HybridRemote
import Testing

/// What may be sent as a header, and which of two counts.
struct HeaderRulesTests {
  private let transport = ClosureTransport { _, _ in
    .json(#"{"choices":[{"message":{"content":"a"}}]}"#)
  }

  private func send(_ headers: HTTPHeaders) async throws -> HTTPHeaders? {
    let client = try GatewayClient.scripted(transport)
    _ = try await client.chat.completions.create(ChatRequest(prompt: "x"), headers: headers)
    return transport.requests.last?.headers
  }

  @Test(arguments: [
    "Content-Length", "content-length", "Transfer-Encoding", "Host", "HOST", "Connection",
    "Keep-Alive", "Upgrade", "TE", "Trailer", "Expect", "Accept-Encoding", "Proxy-Connection",
  ])
  func `fields of the connection cannot be set`(name: String) async throws {
    let error = await #expect(throws: HybridError.self) { try await send([name: "x"]) }
    #expect(error?.code == .invalidConfiguration)
    #expect(transport.requests.isEmpty)
  }

  @Test(arguments: UInt8.min...UInt8.max)
  func `every byte in a name is a token's or refused`(byte: UInt8) async throws {
    let character = String(UnicodeScalar(byte))
    let name = "X-\(character)"
    let isToken =
      byte < 0x80
      && (character.first?.isLetter == true || character.first?.isNumber == true
        || "!#$%&'*+-.^_`|~".contains(character))
    if isToken {
      #expect(try await send([name: "v"])?[name] == "v")
    } else {
      await #expect(throws: HybridError.self) { try await send([name: "v"]) }
      #expect(transport.requests.isEmpty)
    }
  }

  @Test(arguments: UInt8.min...UInt8.max)
  func `every byte in a value is sent as it is or refused`(byte: UInt8) async throws {
    let value = "a\(UnicodeScalar(byte))b"
    if byte == 9 || (byte >= 0x20 && byte != 0x7f) {
      #expect(try await send(["X-A": value])?["X-A"] == value)
    } else {
      let error = await #expect(throws: HybridError.self) { try await send(["X-A": value]) }
      #expect(error?.description.contains("X-A") == true)
      #expect(transport.requests.isEmpty)
    }
  }

  @Test func `a name may not be empty`() async throws {
    await #expect(throws: HybridError.self) { try await send(["": "v"]) }
  }

  @Test func `outer white space goes`() async throws {
    #expect(try await send(["X-A": " \tv \r\n"])?["X-A"] == "v")
  }

  @Test func `defaults, the call's, the key's, the protocol's: the later one counts`() async throws
  {
    let client = try GatewayClient.scripted(transport, credentials: .key(Secret("real"))) {
      $0.headers = [
        "user-agent": "mine", "X-A": "default", "X-B": "default", "authorization": "Bearer default",
        "content-type": "text/plain",
      ]
    }
    _ = try await client.chat.completions.create(
      ChatRequest(prompt: "x"),
      headers: ["x-a": "call", "AUTHORIZATION": "Bearer call", "Idempotency-Key": "call"])
    let sent = try #require(transport.requests.first?.headers)
    #expect(sent.all("User-Agent") == ["mine"])
    #expect(sent.all("X-A") == ["call"])
    #expect(sent.all("X-B") == ["default"])
    #expect(sent.all("Authorization") == ["Bearer real"])
    #expect(sent.all("Content-Type") == ["application/json"])
    #expect(sent.all("Idempotency-Key").count == 1)
    #expect(sent["Idempotency-Key"] != "call")
    #expect(sent["Accept-Encoding"] == "identity")
  }

  @Test func `a default header that may not be sent is refused when the client is made`() {
    #expect(throws: HybridError.self) {
      try GatewayClient.scripted(transport) { $0.headers = ["Host": "x"] }
    }
    #expect(throws: HybridError.self) {
      try GatewayClient.scripted(
        transport, credentials: .key(Secret("k"), header: .named("bad name")))
    }
  }
}

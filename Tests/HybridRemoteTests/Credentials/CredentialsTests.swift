import Foundation
import HybridCore
import HybridRemote
import HybridTesting
import Synchronization
import Testing

/// Keys: where they come from, when they are asked for, and that they are never shown.
@Suite(.timeLimit(.minutes(10)))
struct CredentialsTests {
  private let transport = ClosureTransport { _, _ in .scripted(stream(text("a"), "[DONE]")) }
  private let canary = "sk-canary-0123456789abcdef"

  private func authorization(_ credentials: Credentials) async throws -> String? {
    let client = try GatewayClient.scripted(transport, credentials: credentials)
    let (_, failure) = await Collected.run(client)
    if let failure { throw failure }
    return transport.requests.last?.headers["Authorization"]
  }

  private func file(_ bytes: [UInt8]) throws -> String {
    let url = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID().uuidString)")
    try Data(bytes).write(to: url)
    return url.path()
  }

  @Test func `a secret shows a mask everywhere`() throws {
    let secret = Secret(canary)
    var dumped = ""
    dump([secret], to: &dumped)
    dump(Credentials.key(secret), to: &dumped)
    dump(TransportRequest(method: "GET", url: "u", headers: ["Api-Key": canary]), to: &dumped)
    let texts = [
      "\(secret)", String(describing: secret), String(reflecting: secret), dumped,
      "\(Mirror(reflecting: secret).children.map { $0.value })", "\(Credentials.key(secret))",
      String(decoding: try JSONEncoder().encode([secret]), as: UTF8.self),
      "\(HTTPHeaders(dictionaryLiteral: ("Authorization", canary)))",
    ]
    for text in texts { #expect(!text.contains("canary")) }
    #expect(secret.reveal() == canary)
    let decoded = try JSONDecoder().decode([Secret].self, from: Data(#"["x"]"#.utf8))
    #expect(decoded.first?.reveal() == "x")
  }

  @Test(arguments: ["k1", " k1\n", "\tk1\r\n"])
  func `a key's outer white space is removed`(key: String) async throws {
    #expect(try await authorization(.key(Secret(key))) == "Bearer k1")
    let path = try file(Array(key.utf8))
    #expect(try await authorization(.file(path)) == "Bearer k1")
  }

  @Test func `a header of its own carries the key alone`() async throws {
    let client = try GatewayClient.scripted(
      transport, credentials: .key(Secret("k1"), header: .named("api-key")))
    _ = await Collected.run(client)
    #expect(transport.requests.first?.headers["api-key"] == "k1")
    #expect(transport.requests.first?.headers["Authorization"] == nil)
  }

  @Test(arguments: ["", " \n"])
  func `a blank key is a missing one`(key: String) async throws {
    let error = await #expect(throws: HybridError.self) {
      try await authorization(.key(Secret(key)))
    }
    #expect(error?.code == .noCredentials)
    let path = try file(Array(key.utf8))
    let second = await #expect(throws: HybridError.self) { try await authorization(.file(path)) }
    #expect(second?.code == .noCredentials)
    #expect(second?.message.contains("is empty") == true)
    #expect(transport.requests.isEmpty)
  }

  @Test func `a key with a line break inside is refused and not shown`() async throws {
    let error = await #expect(throws: HybridError.self) {
      try await authorization(.key(Secret("canary\nX: y")))
    }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.description.contains("canary") == false)
    #expect(transport.requests.isEmpty)
  }

  @Test func `a key file that cannot be used says why`() async throws {
    let directory = FileManager.default.temporaryDirectory.path()
    let cases: [(String, String)] = [
      ("/nonexistent/key", "does not exist"), (directory, "is a directory"),
      (try file([0xff, 0xfe]), "is not a text"),
      (try file(Array(repeating: 0x61, count: 20_000)), "is longer than any key"),
    ]
    for (path, words) in cases {
      let error = await #expect(throws: HybridError.self) { try await authorization(.file(path)) }
      #expect(error?.code == .noCredentials)
      #expect(error?.message.contains(words) == true, "\(path)")
      let client = try GatewayClient.scripted(transport, credentials: .file(path))
      #expect(await client.status(model: nil).credentials == .missing(source: path))
    }
  }

  @Test func `a provider is asked again for each try`() async throws {
    let asked = Mutex(0)
    let transport = ClosureTransport { number, _ in
      number == 1 ? .json(503, "{}") : .scripted(stream(text("a"), "[DONE]"))
    }
    let clock = ManualClock()
    let client = try GatewayClient.scripted(
      transport,
      credentials: .provider(name: "vault") {
        asked.withLock { asked in
          asked += 1
          return Secret("k\(asked)")
        }
      }, time: clock)
    async let result = Collected.run(client)
    // The limit on the key's source stands beside the wait between the tries.
    await clock.advance(longest: .seconds(10), untilDone: { transport.requests.count == 2 })
    #expect(await result.collected.text == "a")
    #expect(transport.requests.map { $0.headers["Authorization"] } == ["Bearer k1", "Bearer k2"])
  }

  @Test func `a provider that fails or yields nothing is told apart, without its words`()
    async throws
  {
    struct Broken: Error {
      var text = "canary"
    }
    let none = await #expect(throws: HybridError.self) {
      try await authorization(.provider(name: "vault") { nil })
    }
    #expect(none?.code == .noCredentials)
    #expect(none?.message.contains("vault") == true)
    let broken = await #expect(throws: HybridError.self) {
      try await authorization(.provider(name: "vault") { throw Broken() })
    }
    #expect(broken?.code == .noCredentials)
    #expect(broken?.underlying is Broken)
    #expect(broken?.description.contains("canary") == false)
  }

  @Test func `a provider that never comes back is left at the deadline`() async throws {
    let clock = ManualClock()
    let gate = AsyncStream<Void>.makeStream()
    let client = try GatewayClient.scripted(
      transport,
      credentials: .provider(name: "vault") {
        // Heeds no cancelling.
        await Task.detached { for await _ in gate.stream {} }.value
        return nil
      }, time: clock)
    async let result = Collected.run(
      client, in: ExecutionContext(deadline: Moment(sinceOrigin: .seconds(3))))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(3))
    #expect(await result.collected.error == .deadlineExceeded)
    gate.continuation.finish()
  }

  @Test func `OpenAI's own address needs a key`() async throws {
    let client = try GatewayClient.scripted(transport, baseURL: "https://api.openai.com/v1")
    #expect(await client.status(model: nil).credentials == .missing(source: "none"))
    let (result, _) = await Collected.run(client)
    #expect(result.error == .noCredentials)
    #expect(transport.requests.isEmpty)
    let generic = try GatewayClient.scripted(transport)
    #expect(await generic.status(model: nil).credentials == .notNeeded)
  }

  @Test(
    arguments: [
      // environment, explicit URL, resulting URL, the key's source
      ([:], nil, nil, "none"),
      (["OPENAI_API_KEY": "k"], nil, nil, "none"),
      (
        ["OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "https://a.test/v1"], nil, "https://a.test/v1",
        "OPENAI_API_KEY"
      ),
      (
        ["OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "https://a.test/v1/"], "https://a.test/v1",
        "https://a.test/v1", "OPENAI_API_KEY"
      ),
      (
        ["OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "https://a.test/v1"], "https://b.test/v1",
        "https://b.test/v1", "none"
      ),
      (
        [
          "OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "https://a.test/v1",
          "HYBRID_GATEWAY": "https://b.test/v1",
        ], nil, "https://b.test/v1", "none"
      ),
      (
        ["OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "https://a.test/v1"], "https://a.test:8443/v1",
        "https://a.test:8443/v1", "none"
      ),
      (
        ["OPENAI_API_KEY": "k"], "https://api.openai.com/v1", "https://api.openai.com/v1",
        "OPENAI_API_KEY"
      ),
      (
        ["OPENAI_API_KEY": "k"], "https://api.openai.com.evil.test/v1",
        "https://api.openai.com.evil.test/v1", "none"
      ),
      (
        ["OPENAI_API_KEY": "  ", "OPENAI_BASE_URL": "https://a.test/v1"], nil, "https://a.test/v1",
        "none"
      ),
      (
        ["HYBRID_GATEWAY": " ", "OPENAI_BASE_URL": "https://a.test/v1"], nil, "https://a.test/v1",
        "none"
      ),
      (
        ["HYBRID_KEY_FILE": "/k", "OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "https://a.test/v1"],
        nil,
        "https://a.test/v1", "/k"
      ),
    ] as [([String: String], String?, String?, String)])
  func `the environment`(
    variables: [String: String], explicit: String?, url: String?, source: String
  ) {
    let environment = GatewayEnvironment(baseURL: explicit, environment: { variables[$0] })
    #expect(environment.baseURL == url)
    #expect(environment.credentials.name == source)
  }
}

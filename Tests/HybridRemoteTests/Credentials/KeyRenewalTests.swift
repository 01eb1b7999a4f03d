import Foundation
import HybridCore
import HybridRemote
import HybridTesting
import Synchronization
import Testing

/// A gateway takes the keys that a test says, and answers 401 to all others.
@Suite(.timeLimit(.minutes(10)))
struct KeyRenewalTests {
  private static let answer = stream(text("a"), piece(finish: "stop"), "[DONE]")

  private static func gateway(accepting key: String) -> ClosureTransport {
    ClosureTransport { _, request in
      request.headers["Authorization"] == "Bearer \(key)"
        ? .scripted(answer) : .json(401, #"{"error":{"message":"no"}}"#)
    }
  }

  private func keys(_ transport: ClosureTransport) -> [String?] {
    transport.requests.map { $0.headers["Authorization"].map { String($0.dropFirst(7)) } }
  }

  /// Counts its calls, and answers the n-th with `k<n>`.
  private final class Source: Sendable {
    private let calls = Mutex<[Secret?]>([])
    var refused: [Secret?] { calls.withLock { $0 } }

    func next(_ refused: Secret?) -> Secret {
      calls.withLock { calls in
        calls.append(refused)
        return Secret("k\(calls.count)")
      }
    }
  }

  @Test func `a provider that has another key after a 401 gets the call made again`() async throws {
    let (source, transport) = (Source(), Self.gateway(accepting: "k2"))
    let client = try GatewayClient.scripted(
      transport, credentials: .provider(name: "vault") { source.next(nil) })
    let (result, failure) = await Collected.run(client)
    #expect(failure == nil)
    #expect(result.text == "a")
    #expect(keys(transport) == ["k1", "k2"])
    #expect(source.refused.count == 2)
  }

  @Test func `a key that changes with every question is tried once more and no oftener`()
    async throws
  {
    let (source, transport) = (Source(), Self.gateway(accepting: "k9"))
    let client = try GatewayClient.scripted(
      transport, credentials: .provider(name: "vault") { source.next(nil) })
    let (result, failure) = await Collected.run(client)
    #expect(result.error == .authentication)
    #expect(failure?.attempts.map(\.failure) == [.authentication, .authentication])
    #expect(keys(transport) == ["k1", "k2"])
  }

  @Test(arguments: [
    Credentials.key(Secret("k1")), .provider(name: "vault") { Secret("k1") },
    .refreshing(name: "vault") { _ in Secret("k1\n") },
  ])
  func `the same key is not tried again`(_ credentials: Credentials) async throws {
    let transport = Self.gateway(accepting: "k2")
    let client = try GatewayClient.scripted(transport, credentials: credentials)
    let (result, _) = await Collected.run(client)
    #expect(result.error == .authentication)
    #expect(keys(transport) == ["k1"])
  }

  @Test func `a key file that was replaced in the middle of a call counts`() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID().uuidString)")
    try Data("k1".utf8).write(to: path)
    let transport = ClosureTransport { number, _ in
      try? Data("k2\n".utf8).write(to: path)
      return number == 1 ? .json(401, "{}") : .scripted(Self.answer)
    }
    let client = try GatewayClient.scripted(transport, credentials: .file(path.path()))
    let (result, _) = await Collected.run(client)
    #expect(result.text == "a")
    #expect(keys(transport) == ["k1", "k2"])
  }

  @Test func `a refreshing key is kept until it is refused, and its source is told which`()
    async throws
  {
    let source = Source()
    let accepted = Mutex("k1")
    let transport = ClosureTransport { _, request in
      request.headers["api-key"] == accepted.withLock { $0 }
        ? .scripted(Self.answer) : .json(401, "{}")
    }
    let client = try GatewayClient.scripted(
      transport,
      credentials: .refreshing(name: "vault", header: .named("api-key")) { source.next($0) })
    for _ in 0..<2 { #expect(await Collected.run(client).collected.text == "a") }
    accepted.withLock { $0 = "k2" }
    for _ in 0..<2 { #expect(await Collected.run(client).collected.text == "a") }
    #expect(source.refused == [nil, Secret("k1")])
    #expect(transport.requests.map { $0.headers["api-key"] } == ["k1", "k1", "k1", "k2", "k2"])
  }

  @Test func `one caller fetches a refused key's successor for all`() async throws {
    let gate = Gate()
    let calls = Mutex(0)
    let transport = Self.gateway(accepting: "new")
    let client = try GatewayClient.scripted(
      transport,
      credentials: .refreshing(name: "vault") { refused in
        calls.withLock { $0 += 1 }
        guard refused != nil else { return Secret("old") }
        _ = await gate.pass()
        return Secret("new")
      })
    let texts = await withTaskGroup(of: String.self) { group in
      for _ in 0..<8 {
        group.addTask { await Collected.run(client).collected.text }
      }
      await gate.arrivals()
      gate.open()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(texts == Array(repeating: "a", count: 8))
    #expect(calls.withLock { $0 } == 2)
    #expect(transport.requests.count == 16)
  }

  @Test func `a fetch outlives the caller that began it`() async throws {
    let gate = Gate()
    let calls = Mutex(0)
    let transport = Self.gateway(accepting: "new")
    let client = try GatewayClient.scripted(
      transport,
      credentials: .refreshing(name: "vault") { _ in
        calls.withLock { $0 += 1 }
        _ = await gate.pass()
        return Secret("new")
      })
    let first = Task { await Collected.run(client).collected.error }
    await gate.arrivals()
    first.cancel()
    #expect(await first.value == .cancelled)
    async let second = Collected.run(client)
    gate.open()
    #expect(await second.collected.text == "a")
    #expect(calls.withLock { $0 } == 1)
  }

  @Test func `all headers of a signature go out, made over what is sent and shown nowhere`()
    async throws
  {
    let transport = ClosureTransport { number, request in
      number == 1
        ? .json(
          401, #"{"error":{"message":"bad signature \#(request.headers["X-Signature"] ?? "")"}}"#)
        : .scripted(Self.answer)
    }
    let signed = Mutex<[RequestToSign]>([])
    let client = try GatewayClient.scripted(
      transport,
      credentials: .signed(name: "signer") { request in
        let count = signed.withLock { signed in
          signed.append(request)
          return signed.count
        }
        var headers = CredentialHeaders("X-Signature", Secret("canary-\(count)-0123456789"))
        headers.append("X-Date", plain: "20261130T120000Z")
        return headers
      })
    let (result, _) = await Collected.run(client)
    #expect(result.text == "a")
    let requests = transport.requests
    #expect(
      requests.map { $0.headers["X-Signature"] } == [
        "canary-1-0123456789", "canary-2-0123456789",
      ])
    #expect(requests.allSatisfy { $0.headers["X-Date"] == "20261130T120000Z" })
    let toSign = signed.withLock { $0 }
    #expect(toSign.map(\.body) == requests.map { $0.body ?? [] })
    #expect(toSign.allSatisfy { $0.url == requests[0].url && $0.method == "POST" })
    var dumped = ""
    dump(requests, to: &dumped)
    dump(CredentialHeaders("X-Signature", Secret("canary")), to: &dumped)
    #expect(!dumped.contains("canary"))
    #expect(dumped.contains("20261130T120000Z"))
  }

  @Test func `a signature that comes back in an error is masked there`() async throws {
    let transport = ClosureTransport { _, request in
      .json(
        400, #"{"error":{"message":"bad signature \#(request.headers["X-Signature"] ?? "")"}}"#)
    }
    let client = try GatewayClient.scripted(
      transport,
      credentials: .signed(name: "signer") { _ in
        CredentialHeaders("X-Signature", Secret("canary-0123456789"))
      })
    let (_, failure) = await Collected.run(client)
    #expect(failure?.gateway?.message?.contains("bad signature") == true)
    #expect(failure.map { "\($0)" }?.contains("canary") == false)
    #expect(failure?.gateway?.message?.contains("canary") == false)
  }

  @Test func `a signer that returns nothing is a missing key`() async throws {
    let transport = Self.gateway(accepting: "")
    let client = try GatewayClient.scripted(
      transport, credentials: .signed(name: "signer") { _ in CredentialHeaders() })
    let (result, _) = await Collected.run(client)
    #expect(result.error == .noCredentials)
    #expect(transport.requests.isEmpty)
  }

  @Test func `a kept key is shown by no dump of who keeps it`() async throws {
    let credentials = Credentials.refreshing(name: "vault") { _ in Secret("canary") }
    let client = try GatewayClient.scripted(
      Self.gateway(accepting: "canary"), credentials: credentials)
    #expect(await Collected.run(client).collected.text == "a")
    var dumped = "\(credentials) \(client) \(String(reflecting: credentials))"
    dump(credentials, to: &dumped)
    dump(client, to: &dumped)
    #expect(!dumped.contains("canary"))
  }
}

import HybridCore
import HybridRemote
import HybridTesting
import Synchronization
import Testing

/// What the client asks before a request leaves the machine.
struct PermitTests {
  private let transport = ClosureTransport { _, _ in .scripted("data: [DONE]\n\n") }

  static let staying: [(ChatRequest, code: JSONValue)] = [
    (ChatRequest(messages: [.user("a")], tags: [.health]), "privacy"),
    (ChatRequest(messages: [.user("a")], tags: [SensitivityTag(rawValue: "mine")]), "privacy"),
    (ChatRequest(messages: [.user("a")], preference: .localOnly), "preference"),
  ]

  @Test(arguments: staying)
  func `without a router a request that must stay is refused on every way out`(
    _ request: ChatRequest, code: JSONValue
  ) async throws {
    let client = try GatewayClient.scripted(transport)
    let errors = [
      await #expect(throws: HybridError.self) {
        try await client.start(request, in: ExecutionContext())
      },
      await #expect(throws: HybridError.self) {
        try await client.chat.completions.create(request)
      },
      await #expect(throws: HybridError.self) {
        try await client.chat.completions.stream(request)
      },
    ]
    for error in errors {
      #expect(error?.code == .localRequired)
      #expect(error?.details["code"] == code)
      #expect(error?.nextStep != nil)
    }
    #expect(transport.requests.isEmpty)
  }

  @Test func `a router's permit is asked again when a slow source has its key`() async throws {
    let isRevoked = Atomic(false)
    let asked = Mutex<[Int]>([])
    let client = try GatewayClient.scripted(
      transport,
      credentials: .provider(name: "vault") {
        isRevoked.store(true, ordering: .sequentiallyConsistent)
        return Secret("k")
      })
    let context = ExecutionContext(permit: { number in
      asked.withLock { $0.append(number) }
      return isRevoked.load(ordering: .sequentiallyConsistent)
        ? HybridError(.localRequired, "revoked") : nil
    })
    let error = await #expect(throws: HybridError.self) {
      try await client.start(ChatRequest(messages: [.user("a")], tags: [.health]), in: context)
    }
    #expect(error?.message == "revoked")
    #expect(asked.withLock { $0 } == [1, 1])
    #expect(transport.requests.isEmpty)
  }
}

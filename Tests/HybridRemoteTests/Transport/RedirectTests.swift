import HybridCore
import HybridTesting
import Testing

@testable import HybridRemote

/// Where secrets go when a gateway redirects: nowhere but to the gateway.
@Suite(.timeLimit(.minutes(10)))
struct RedirectTests {
  enum Target: CaseIterable {
    case sameOrigin, otherPort, otherHost, unencrypted, userInfo
  }

  /// How a secret travels.
  enum Carrier: CaseIterable {
    case authorization, apiKey, xAPIKey, cookie

    var header: String {
      switch self {
      case .authorization: "Authorization"
      case .apiKey: "api-key"
      case .xAPIKey: "x-api-key"
      case .cookie: "Cookie"
      }
    }

    var credentials: Credentials {
      switch self {
      case .authorization: .key(Secret(canary))
      case .cookie: .none
      default: .key(Secret(canary), header: .named(header))
      }
    }
  }

  struct Case: Sendable {
    var status: Int
    var target: Target
    var carrier: Carrier
    var isAllowed: Bool

    /// 5 codes × 5 targets × 4 headers, each with and without leave to follow.
    static let all: [Case] = [301, 302, 303, 307, 308].flatMap { status in
      Target.allCases.flatMap { target in
        Carrier.allCases.flatMap { carrier in
          [false, true].map {
            Case(status: status, target: target, carrier: carrier, isAllowed: $0)
          }
        }
      }
    }

    var isFollowed: Bool {
      isAllowed && target == .sameOrigin && (status == 307 || status == 308)
    }
  }

  private static let canary = "sk-canary-4f1d9b0e7a"
  private static let whole = #"{"choices":[{"message":{"content":"Yes"},"finish_reason":"stop"}]}"#

  private func ask(
    _ baseURL: String, _ test: Case, transport: (any Transport)? = nil
  ) async throws -> Result<ChatCompletion, HybridError> {
    var options = GatewayOptions()
    options.transport = transport
    options.followsSameOriginRedirects = test.isAllowed
    if test.carrier == .cookie { options.headers["Cookie"] = "session=\(Self.canary)" }
    let client = try GatewayClient(
      baseURL: baseURL, model: "m", credentials: test.carrier.credentials, options: options)
    do throws(HybridError) {
      return .success(try await client.chat.completions.create(ChatRequest(prompt: "Why?")))
    } catch {
      return .failure(error)
    }
  }

  private func expectRefused(
    _ result: Result<ChatCompletion, HybridError>, target: String, _ test: Case
  ) throws {
    guard case .failure(let error) = result else {
      Issue.record("\(test) was followed")
      return
    }
    #expect(error.code == .redirectRefused, "\(test)")
    #expect(error.details["target"]?.string == target, "\(test)")
    #expect(error.attempts.count == 1, "\(test)")
    let told = "\(error) \(error.details)"
    #expect(!told.contains(Self.canary) && !told.contains("hidden"), "\(test): \(told)")
  }

  @Test func `no secret comes to a second origin, in 200 cases`() async throws {
    #expect(Case.all.count == 200)
    for test in Case.all {
      if test.target == .unencrypted {
        let transport = ClosureTransport { _, _ in
          .json(
            test.status, headers: ["Location": "http://gateway.test/v1/chat/completions?hidden"],
            "{}")
        }
        try expectRefused(
          try await ask("https://gateway.test/v1", test, transport: transport),
          target: "http://gateway.test", test)
        #expect(transport.requests.count == 1)
        continue
      }
      let other = try LoopbackGateway { _ in [.response(200, Self.whole)] }
      let gateway = try LoopbackGateway { [other = other.port] request in
        guard request.target == "/v1/chat/completions" else {
          return [.response(200, Self.whole)]
        }
        let own = request.header("Host") ?? ""
        let location =
          switch test.target {
          case .sameOrigin: "http://\(own)/hidden"
          case .otherPort: "http://127.0.0.1:\(other)/hidden"
          case .otherHost, .unencrypted: "http://localhost:\(other)/hidden?hidden"
          case .userInfo: "http://hidden:hidden@\(own)/hidden"
          }
        return [.response(test.status, "", headers: [("Location", location)])]
      }
      let result = try await ask(gateway.baseURL, test)
      #expect(other.connections == 0, "\(test)")
      if test.isFollowed {
        let completion = try result.get()
        #expect(completion.choices.first?.message.content == "Yes", "\(test)")
        #expect(gateway.requests.map(\.target) == ["/v1/chat/completions", "/hidden"])
        #expect(gateway.requests.map(\.method) == ["POST", "POST"])
        let second = try #require(gateway.requests.last)
        #expect(second.body == gateway.requests.first?.body)
        #expect(second.header(test.carrier.header)?.contains(Self.canary) == true, "\(test)")
        continue
      }
      #expect(gateway.requests.count == 1, "\(test)")
      let origin = "http://127.0.0.1:\(gateway.port)"
      let target =
        switch test.target {
        case .otherPort: "http://127.0.0.1:\(other.port)"
        case .otherHost: "http://localhost:\(other.port)"
        default: origin
        }
      try expectRefused(result, target: target, test)
    }
  }

  @Test(arguments: [3, 4])
  func `three redirects are followed, a fourth is not`(redirects: Int) async throws {
    let transport = ClosureTransport { number, request in
      number <= redirects
        ? .json(308, headers: ["Location": "/v1/\(number)"], "{}") : .json(Self.whole)
    }
    let test = Case(status: 308, target: .sameOrigin, carrier: .apiKey, isAllowed: true)
    let result = try await ask("https://gateway.test/v1", test, transport: transport)
    #expect(transport.requests.count == 4)
    #expect(transport.requests.dropFirst().map(\.url).last == "https://gateway.test/v1/3")
    if redirects == 3 {
      #expect(try result.get().choices.first?.message.content == "Yes")
    } else {
      try expectRefused(result, target: "https://gateway.test", test)
    }
  }

  @Test func `the total limit holds for all of them together`() async throws {
    let clock = ManualClock()
    let transport = ClosureTransport { number, _ in
      clock.advance(by: .seconds(1))
      return number < 3 ? .json(307, headers: ["Location": "/v1/next"], "{}") : .json("{}")
    }
    _ = try await SameOriginRedirects(base: transport, time: clock).send(
      TransportRequest(
        method: "POST", url: "https://gateway.test/v1",
        limits: TransportLimits(total: .seconds(10))))
    #expect(transport.requests.map(\.limits.total) == [.seconds(10), .seconds(9), .seconds(8)])
  }

  @Test func `a signed request is not sent to another path`() async throws {
    let transport = ClosureTransport { _, _ in .json(307, headers: ["Location": "/v1/x"], "{}") }
    let client = try GatewayClient.scripted(
      transport,
      credentials: .signed(name: "signer") { _ in CredentialHeaders("X-Signature", Secret("1")) }
    ) { $0.followsSameOriginRedirects = true }
    let (collected, failure) = await Collected.run(client)
    #expect(collected.error == .redirectRefused)
    #expect(failure?.message.contains("a path of its own") == true)
    #expect(transport.requests.count == 1)
  }

  @Test(arguments: [
    ("https://gateway.test/v2", "https://gateway.test", "https://gateway.test/v2"),
    ("https://GATEWAY.test:443/v2", "https://gateway.test", "https://GATEWAY.test:443/v2"),
    ("/v2", "https://gateway.test", "https://gateway.test/v2"),
    ("next", "https://gateway.test", "https://gateway.test/v1/next"),
    (" /v2 ", "https://gateway.test", "https://gateway.test/v2"),
    ("//gateway.test/v2", "https://gateway.test", "https://gateway.test/v2"),
    ("//other.test/v2", "https://other.test", nil),
    ("http://gateway.test/", "http://gateway.test", nil),
    ("https://gateway.test:444/", "https://gateway.test:444", nil),
    ("https://gateway.test.other.test/", "https://gateway.test.other.test", nil),
    ("https://a:b@gateway.test/", "https://gateway.test", nil),
    ("https://gateway.test@other.test/", "https://other.test", nil),
    ("https://other.test\\@gateway.test/", "https://other.test", nil),
    ("/v2?a=b", "https://gateway.test", nil), ("/v2#a", "https://gateway.test", nil),
    ("/v 2", "https://gateway.test", nil), ("?a", "https://gateway.test", nil),
    ("ftp://gateway.test/", nil, nil), ("javascript:alert(1)", nil, nil), ("", nil, nil),
    ("https:///v2", nil, nil), ("https://", nil, nil),
  ])
  func `where a redirect leads`(location: String, origin: String?, followed: String?) throws {
    let target = RedirectTarget(
      location, from: try HTTPURL("https://gateway.test/v1/chat"))
    #expect(target?.origin == origin)
    #expect(target?.sameOriginURL == followed)
  }
}

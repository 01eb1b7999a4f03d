import HybridCore
import HybridRemote
import HybridTesting
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Which requests go through a proxy, by the environment and the option. Each case is a process of its
/// own, with an environment of its own; the proxy is a real one as far as a client can see.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ProxyEnvironmentTests {
  struct Case: Sendable, Codable {
    var environment: [String: String]
    var url: String
    var isProxied: Bool
    /// The proxy's URL or nothing; nil: not set.
    var option: String?

    init(_ environment: [String: String], _ url: String, proxied: Bool, option: String? = nil) {
      self.environment = environment
      self.url = url
      isProxied = proxied
      self.option = option
    }
  }

  private static let plain = "http://gateway.test/v1"
  private static let secure = "https://gateway.test/v1"
  /// Stands for the proxy's URL.
  private static let proxy = "PROXY"

  static let cases: [Case] = [
    Case([:], plain, proxied: false),
    Case(["http_proxy": proxy], plain, proxied: true),
    Case(["http_proxy": proxy], secure, proxied: false),
    // A web server's CGI sets HTTP_PROXY from a request's `Proxy` header: only the small one counts.
    Case(["HTTP_PROXY": proxy], plain, proxied: false),
    Case(["https_proxy": proxy], secure, proxied: true),
    Case(["HTTPS_PROXY": proxy], secure, proxied: true),
    Case(["https_proxy": proxy], plain, proxied: false),
    Case(["all_proxy": proxy], plain, proxied: true),
    Case(["ALL_PROXY": proxy], secure, proxied: true),
    Case(["https_proxy": ""], secure, proxied: false),
    Case(["all_proxy": proxy, "no_proxy": "*"], plain, proxied: false),
    Case(["all_proxy": proxy, "no_proxy": "gateway.test"], plain, proxied: false),
    Case(["all_proxy": proxy, "NO_PROXY": "gateway.test"], plain, proxied: false),
    Case(["all_proxy": proxy, "no_proxy": "test"], plain, proxied: false),
    Case(["all_proxy": proxy, "no_proxy": ".test"], plain, proxied: false),
    Case(["all_proxy": proxy, "no_proxy": "other.test, GATEWAY.test"], plain, proxied: false),
    Case(["all_proxy": proxy, "no_proxy": "way.test"], plain, proxied: true),
    Case(["all_proxy": proxy, "no_proxy": "gateway.test.other"], plain, proxied: true),
    Case(["all_proxy": proxy, "no_proxy": "192.0.2.7"], "http://192.0.2.7/", proxied: false),
    Case(["all_proxy": proxy, "no_proxy": "192.0.2.0/24"], "http://192.0.2.7/", proxied: false),
    Case(["all_proxy": proxy, "no_proxy": "198.51.100.0/24"], "http://192.0.2.7/", proxied: true),
    // This machine itself, whatever is said.
    Case(["all_proxy": proxy], "http://127.0.0.1:9/", proxied: false),
    Case(["all_proxy": proxy], "http://localhost:9/", proxied: false),
    Case(["all_proxy": proxy], "http://[::1]:9/", proxied: false),
    Case([:], "http://127.0.0.1:9/", proxied: false, option: proxy),
    // The option comes before the environment, but for those that no proxy is asked for.
    Case([:], plain, proxied: true, option: proxy),
    Case(["all_proxy": "http://127.0.0.1:9"], plain, proxied: true, option: proxy),
    Case(["all_proxy": proxy], plain, proxied: false, option: ""),
    Case(["no_proxy": "gateway.test"], plain, proxied: false, option: proxy),
  ]

  @Test(arguments: cases)
  func `a proxy is asked where it is to be`(test: Case) async throws {
    let gateway = try LoopbackGateway { request in
      [request.method == "CONNECT" ? .response(403, "no") : .response(200, "proxied")]
    }
    let url = "http://127.0.0.1:\(gateway.port)"
    await #expect(processExitsWith: .success) { [test = test as Case, proxy = url as String] in
      let names = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"]
      for name in names + names.map({ $0.uppercased() }) { unsafe unsetenv(name) }
      for (name, value) in test.environment {
        unsafe setenv(name, value == "PROXY" ? proxy : value, 1)
      }
      let option = test.option == "PROXY" ? proxy : test.option
      // What goes nowhere need not be waited for.
      let connect = Duration.milliseconds(test.isProxied ? 300_000 : 100)
      let transport = CurlTransport(options: CurlTransport.Options(proxy: option))
      let request = TransportRequest(
        method: "GET", url: test.url, limits: TransportLimits(connect: connect))
      do throws(HybridError) {
        let response = try await transport.send(request)
        precondition(test.isProxied && response.status == 200)
      } catch {
        precondition(test.isProxied == (error.code == .connectionProxy), "\(error)")
      }
    }
    #expect(gateway.requests.isEmpty == !test.isProxied)
    guard test.isProxied else { return }
    let request = try #require(gateway.requests.first)
    if test.url.hasPrefix("https") {
      #expect(request.method == "CONNECT")
      #expect(request.target == "gateway.test:443")
    } else {
      #expect(request.target == test.url)
    }
  }

  @Test func `a key goes to the gateway and never to the proxy that carries it`() async throws {
    let proxy = try LoopbackGateway { _ in [.response(403, "no")] }
    let transport = CurlTransport(
      options: CurlTransport.Options(proxy: "http://127.0.0.1:\(proxy.port)"))
    _ = try? await transport.send(
      TransportRequest(
        method: "POST", url: Self.secure,
        headers: ["Authorization": "Bearer canary", "api-key": "canary"], body: []))
    let request = try #require(proxy.requests.first)
    #expect(request.method == "CONNECT")
    #expect(!request.headers.contains { $0.value.contains("canary") })
  }
}

import HybridCore
import HybridRemote
import HybridTesting
import Testing

/// A proxy is asked for everything but this machine itself.
@Suite(.timeLimit(.minutes(10)))
struct CurlProxyTests {
  @Test(arguments: ["127.0.0.1", "localhost", "127.0.0.2"])
  func `never towards this machine`(host: String) async throws {
    let proxy = try LoopbackGateway { _ in [.response(200, "proxied")] }
    let gateway = try LoopbackGateway { _ in [.response(200, "direct")] }
    let transport = CurlTransport(
      options: CurlTransport.Options(proxy: "http://127.0.0.1:\(proxy.port)"))
    let response = try? await transport.send(
      TransportRequest(method: "GET", url: "http://\(host):\(gateway.port)/v1"))
    // 127.0.0.2 is this machine too, though nobody listens there.
    #expect(try await response?.body.text() ?? "direct" == "direct")
    #expect(proxy.connections == 0)
  }

  @Test func `towards others`() async throws {
    let proxy = try LoopbackGateway { _ in [.response(200, "proxied")] }
    let transport = CurlTransport(
      options: CurlTransport.Options(proxy: "http://127.0.0.1:\(proxy.port)"))
    let response = try await transport.send(
      TransportRequest(method: "GET", url: "http://gateway.test/v1/models"))
    #expect(try await response.body.text() == "proxied")
    #expect(proxy.requests.first?.target == "http://gateway.test/v1/models")
  }

  @Test func `a proxy that refuses to connect is told as one`() async throws {
    let proxy = try LoopbackGateway { _ in [.response(403, "no")] }
    let transport = CurlTransport(
      options: CurlTransport.Options(proxy: "http://127.0.0.1:\(proxy.port)"))
    let error = await #expect(throws: HybridError.self) {
      try await transport.send(TransportRequest(method: "GET", url: "https://gateway.test/v1"))
    }
    #expect(error?.code == .connectionProxy)
    #expect(error?.message.contains("403") == true)
    #expect(proxy.requests.first?.method == "CONNECT")
  }
}

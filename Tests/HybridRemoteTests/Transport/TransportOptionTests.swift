import HybridCore
import HybridTesting
import Testing

@testable import HybridRemote

struct TransportOptionTests {
  @Test(arguments: [
    ("sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", true),
    ("sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFV=", false),
    ("sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU", false),
    ("sha256//47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU=", false),
    ("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", false),
    ("sha256//", false), ("sha1//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", false),
    ("/etc/ssl/key.pem", false), ("", false),
    ("sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=;/tmp/key", false),
  ])
  func `a pin is 32 bytes of base64 and nothing else`(text: String, isPin: Bool) throws {
    if isPin {
      #expect(try PublicKeyPin(text).description == text)
    } else {
      let error = #expect(throws: HybridError.self) { try PublicKeyPin(text) }
      #expect(error?.code == .invalidConfiguration)
    }
  }

  @Test func `the phases of a connection are told, and their absence on its second use`()
    async throws
  {
    let gateway = try LoopbackGateway { _ in [.response(200, "{}")] }
    let transport = CurlTransport()
    let request = TransportRequest(method: "GET", url: gateway.baseURL)
    let first = try await transport.send(request)
    _ = try await first.body.text()
    #expect(!first.phases.isReused)
    #expect(first.phases.nameLookup != nil)
    #expect(first.phases.connect != nil)
    #expect(first.phases.tls == nil)
    #expect(first.phases.firstByte != nil)
    let second = try await transport.send(request)
    _ = try await second.body.text()
    let time = second.phases.firstByte
    #expect(time != nil)
    #expect(second.phases == ConnectionPhases(firstByte: time, isReused: true))
    #expect(gateway.connections == 1)
  }

  @Test(arguments: [("1.0", HTTPVersion.http10), ("1.1", .http11)])
  func `the version is the one that the gateway answers with`(
    text: String, version: HTTPVersion
  ) async throws {
    let gateway = try LoopbackGateway { _ in
      [.send("HTTP/\(text) 200 OK\r\nContent-Length: 0\r\n\r\n")]
    }
    let response = try await CurlTransport().send(
      TransportRequest(method: "GET", url: gateway.baseURL))
    #expect(response.version == version)
  }
}

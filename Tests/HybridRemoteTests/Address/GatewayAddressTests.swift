import HybridCore
import HybridRemote
import Testing

/// Which base URLs are taken, and what is sent where.
struct GatewayAddressTests {
  @Test(arguments: [
    ("https://api.example.com/v1", "https://api.example.com"),
    ("https://api.example.com/v1/", "https://api.example.com"),
    ("HTTPS://API.Example.COM:443/v1", "https://api.example.com"),
    ("https://api.example.com:8443", "https://api.example.com:8443"),
    ("https://api.example.com./v1", "https://api.example.com."),
    ("https://10.0.0.5/v1", "https://10.0.0.5"),
    ("https://[2001:db8::1]:8443/v1", "https://[2001:db8::1]:8443"),
    ("http://localhost:8080/v1", "http://localhost:8080"),
    ("http://LOCALHOST", "http://localhost"),
    ("http://my.localhost:80/v1", "http://my.localhost"),
    ("http://127.0.0.1:1/v1", "http://127.0.0.1:1"),
    ("http://127.9.8.7:8080", "http://127.9.8.7:8080"),
    ("http://2130706433:8080", "http://2130706433:8080"),
    ("http://0x7f.1:8080", "http://0x7f.1:8080"),
    ("http://[::1]:8080/v1", "http://[::1]:8080"),
    ("http://[::ffff:127.0.0.1]/v1", "http://[::ffff:127.0.0.1]"),
  ])
  func `taken`(url: String, origin: String) throws {
    #expect(try GatewayClient(baseURL: url).origin == origin)
  }

  @Test(arguments: [
    // No URL of a gateway.
    "", "api.example.com/v1", "https://", "https:///v1", "ftp://example.com", "file:///etc/passwd",
    "unix:///run/x", "javascript://x", "https://exa mple.com", "https://example.com/\n",
    "https://example.com/\u{0}", "https://exämple.com", "https://example.com\\@evil.com",
    "https://exam%70le.com", "https://.example.com", "https://a..b", "https://example.com:0",
    "https://example.com:65536", "https://example.com:80a", "https://example.com:", "https://[::1",
    "https://[::1]x", "https://[fe80::1%25eth0]", "https://[1:2:3]", "https://[1::2::3]",
    "https://1.2.3.4.5", "https://256.1.1.1", "https://0x.1.1.1", "https://08.1.1.1",
    // User-info, fragments, queries.
    "https://user@example.com", "https://user:pass@example.com/v1", "https://@example.com",
    "https://example.com/v1#x", "https://example.com/v1?key=1",
    // Unencrypted to elsewhere.
    "http://example.com/v1", "http://10.0.0.5/v1", "http://localhost.example.com",
    "http://128.0.0.1", "http://[2001:db8::1]/v1", "http://0.0.0.0:8080", "https://[::]/v1",
    // Link-local addresses and metadata services, in every spelling.
    "https://169.254.169.254/v1", "https://169.254.0.1", "https://2852039166", "https://0xa9fea9fe",
    "https://0xa9.254.169.254", "https://0251.0376.0251.0376", "https://169.254.43518",
    "https://169.16689662", "https://[::ffff:169.254.169.254]", "https://[::ffff:a9fe:a9fe]",
    "https://[::169.254.169.254]", "https://[64:ff9b::a9fe:a9fe]", "https://[fe80::1]",
    "https://[febf::1]", "https://[fd00:ec2::254]", "https://[FD00:0EC2:0::0254]",
    "https://100.100.100.200", "https://1684301000", "https://metadata.google.internal",
    "https://METADATA.google.internal.", "https://169.254.169.254.",
  ])
  func `refused`(url: String) {
    let error = #expect(throws: HybridError.self) { try GatewayClient(baseURL: url) }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.nextStep != nil)
    #expect(error?.description.contains("pass") == false)
  }

  @Test func `http elsewhere needs to be allowed, and then metadata is still refused`() throws {
    var options = GatewayOptions()
    options.allowsHTTP = true
    #expect(throws: Never.self) {
      try GatewayClient(baseURL: "http://gateway.lan:8080/v1", options: options)
    }
    #expect(throws: HybridError.self) {
      try GatewayClient(baseURL: "http://169.254.169.254/v1", options: options)
    }
  }

  @Test(arguments: [
    ("https://gateway.test/v1", "https://gateway.test/v1/chat/completions"),
    ("https://gateway.test/v1//", "https://gateway.test/v1/chat/completions"),
    ("https://gateway.test", "https://gateway.test/chat/completions"),
    ("https://gateway.test:444/a/b/", "https://gateway.test:444/a/b/chat/completions"),
  ])
  func `the path follows the base`(base: String, url: String) async throws {
    let transport = ClosureTransport { _, _ in .scripted(stream(text("a"), "[DONE]")) }
    let client = try GatewayClient.scripted(transport, baseURL: base)
    _ = await Collected.run(client)
    #expect(transport.requests.first?.url == url)
  }
}

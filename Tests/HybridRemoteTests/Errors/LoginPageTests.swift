import HybridCore
import HybridRemote
import HybridTesting
import Testing

/// A web page with status 200 where a gateway should be: a login page of the network's, or a proxy's.
struct LoginPageTests {
  @Test(arguments: [
    ("text/html", "<html>log in</html>"), ("text/html; charset=utf-8", "log in"),
    ("text/html", ""), ("application/xhtml+xml", "<p>log in</p>"),
    (nil, "\n <!DOCTYPE html><title>Welcome</title>"),
    ("text/plain", "<HTML><body>"), ("application/json", "<html>"),
    ("application/json", "\u{feff}<script>location='/login'</script>"),
  ])
  func `is told as one, streamed or not`(type: String?, body: String) async throws {
    let transport = ClosureTransport { _, _ in .scripted(200, type: type, body) }
    let client = try GatewayClient.scripted(transport)
    let streamed = await Collected.run(client).failure
    let whole = await #expect(throws: HybridError.self) {
      try await client.chat.completions.create(ChatRequest(prompt: "x"))
    }
    for error in [streamed, whole] {
      #expect(error?.code == .wrongContentType)
      #expect(error?.message.contains("login page") == true, "\(String(describing: error))")
      #expect(error?.nextStep?.contains("Log in") == true)
      #expect(error?.attempts.count == 1)
    }
  }

  @Test(arguments: [("image/png", "\u{1}PNG"), ("text/plain", "Not <html>")])
  func `anything else is not`(type: String, body: String) async throws {
    let transport = ClosureTransport { _, _ in .scripted(200, type: type, body) }
    let error = await Collected.run(try GatewayClient.scripted(transport)).failure
    #expect(error?.code == .wrongContentType)
    #expect(error?.message.contains(type) == true)
    #expect(error?.message.contains("login page") == false)
  }
}

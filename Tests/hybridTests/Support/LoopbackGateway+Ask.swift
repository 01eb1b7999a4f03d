import HybridTesting

extension LoopbackGateway {
  /// Asks this gateway, and waits for it as long as it takes: a test that steers it from outside may
  /// itself have to wait for its turn behind every other test.
  var ask: [String] {
    [
      "ask", "--no-local", "--gateway", baseURL, "--policy",
      fixture("command-line/patient-policy.json"),
    ]
  }
}

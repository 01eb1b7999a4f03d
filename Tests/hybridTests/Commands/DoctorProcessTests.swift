import HybridCore
import HybridTesting
import Testing

@testable import hybrid

/// What is wrong, as doctor says it. Needs no model.
@Suite struct DoctorProcessTests {
  @Test(
    arguments: [
      (["--gateway", "http://gateway.example/v1"], [:], "unencrypted", "--allow-http"),
      (["--gateway", "https://a/v1", "--key-file", "/no/key"], [:], "/no/key", "--key-file"),
      ([], ["HYBRID_THREADS": "many"], "HYBRID_THREADS", "from 1 to 512"),
      ([], [:], "neither a local model nor a gateway", "--gateway"),
    ] as [([String], [String: String], String, String)])
  func `each problem comes with its remedy`(
    arguments: [String], environment: [String: String], problem: String, remedy: String
  ) async throws {
    let result = try await HybridProcess.run(
      ["doctor", "--no-local"] + arguments, environment: environment)
    #expect(result.status == 69)
    #expect(result.output.contains("What is wrong"))
    #expect(result.output.contains(problem) && result.output.contains(remedy), "\(result.output)")
  }

  @Test func `more threads than CPUs are not used, and doctor says so`() async throws {
    let result = try await HybridProcess.run(["doctor", "--threads", "512"])
    #expect(result.output.contains("512 threads were asked for"), "\(result.output)")
  }

  @Test func `a gateway is looked at and never asked`() async throws {
    let gateway = try LoopbackGateway { _ in [] }
    let result = try await HybridProcess.run(
      ["doctor", "--json", "--no-local", "--gateway", gateway.baseURL, "--gateway-model", "m"])
    #expect(result.status == 0)
    let report = try JSONReader().read(result.output)
    #expect(report["gateway"]?["model"] == "m")
    #expect(report["gateway"]?["credentials"] == "notNeeded")
    #expect(gateway.connections == 0)
  }
}

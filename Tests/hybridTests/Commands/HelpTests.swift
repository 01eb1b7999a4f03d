import HybridCore
import HybridRouting
import Testing

@testable import hybrid

/// What is documented, word for word: a changed option changes a fixture with it.
@Suite struct HelpTests {
  @Test func `the overview is as recorded`() async throws {
    let result = try await HybridProcess.run(["--help"])
    #expect(result.status == 0)
    #expect(result.output == textOfFile(fixture("command-line/hybrid.txt")))
    #expect(try await HybridProcess.run(["help"]).output == result.output)
  }

  @Test(arguments: Command.all.map(\.name))
  func `a command's help is as recorded, examples first`(name: String) async throws {
    let result = try await HybridProcess.run([name, "--help"])
    #expect(result.status == 0)
    #expect(result.output == textOfFile(fixture("command-line/\(name).txt")))
    #expect(result.output.hasPrefix("Examples:\n"))
    #expect(result.output.contains("Exit codes:\n"))
    #expect(try await HybridProcess.run(["help", name]).output == result.output)
  }

  @Test(arguments: ["contextTooLong", "429", "timeout.firstByte", "noGateway", "contextFull"])
  func `an explanation is as recorded`(code: String) async throws {
    let result = try await HybridProcess.run(["explain", code])
    #expect(result.status == 0)
    #expect(result.output == textOfFile(fixture("command-line/explain-\(code).txt")))
  }

  @Test func `that the engine is gone is told of a worker's process too`() throws {
    let text = try ExplainedCode.text("engineLost", policy: RoutingPolicy())
    #expect(text.contains("worker") && text.contains("another process"), "\(text)")
  }

  @Test func `every code can be explained, in any case`() throws {
    for name in ExplainedCode.names {
      let text = try ExplainedCode.text(name.uppercased(), policy: RoutingPolicy())
      #expect(text.hasPrefix("\(name): "))
    }
  }

  @Test func `no line of the help is longer than a terminal is wide`() {
    for text in Command.all.map({ HelpText.of($0) }) + [HelpText.overview] {
      for line in text.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
    }
  }

  @Test func `the versions in use are printed`() async throws {
    let result = try await HybridProcess.run(["--version"])
    let names = result.output.split(separator: "\n").map { $0.prefix { $0 != " " } }
    #expect(names == ["hybrid", "llama.cpp", "libcurl", "TLS"])
  }
}

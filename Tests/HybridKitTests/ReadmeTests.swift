import Foundation
import HybridKit
import HybridTesting
import Testing

@Suite struct `The README` {
  // README: plan test
  @Test func `a long prompt goes to the gateway`() async {
    let local = ScriptedExecutor.local(context: 2048, promptTokens: 3000)
    let chat = HybridChat(local: local, gateway: ScriptedExecutor.remote())

    let plan = await chat.plan(ChatRequest(prompt: "a long story"))

    #expect(plan.ranOn == .remote)
    #expect(plan.reason?.code == .contextTooLong)
    #expect(plan.counterfactual?.contains("1,464 tokens shorter") == true)
    #expect(local.record.requests.isEmpty)
  }
  // README: end

  @Test(arguments: [
    ("program", "ReadmeProgram.swift"), ("life cycle", "ReadmeProgram.swift"),
    ("gateway", "ReadmeGateway.swift"), ("plan test", "ReadmeTests.swift"),
  ])
  func `shows code that the tests compile`(_ region: String, _ file: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let readme = try String(
      contentsOf: folder.appending(path: "../../README.md").standardized, encoding: .utf8)
    let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
    let code = try #require(Self.region(region, of: source))
    #expect(readme.contains("\n\(code)\n```"), "README.md must show:\n\(code)")
  }

  /// The lines between `// README: name` and `// README: end`, without their common indentation.
  private static func region(_ name: String, of source: String) -> String? {
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    guard
      let start = lines.firstIndex(where: { $0.hasSuffix("// README: \(name)") }),
      let end = lines[start...].firstIndex(where: { $0.hasSuffix("// README: end") })
    else { return nil }
    let indentation = lines[start].prefix { $0 == " " }.count
    return lines[(start + 1)..<end].map { $0.dropFirst(indentation) }.joined(separator: "\n")
  }
}

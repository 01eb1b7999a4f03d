import HybridCore
import HybridRemote
import HybridTesting
import Testing

/// A llama-server's answer as it was recorded, cut off everywhere.
@Suite(.timeLimit(.minutes(10)))
struct RecordedStreamTests {
  private func run(_ pieces: [[UInt8]]) async throws -> Collected {
    let transport = ClosureTransport { _, _ in .scripted(pieces: pieces) }
    let client = try GatewayClient.scripted(transport) { $0.retries.maximumTries = 1 }
    return await Collected.run(client).collected
  }

  @Test func `whole`() async throws {
    let bytes = try TestAssets.stream("llama-server.sse")
    let result = try await run([bytes])
    #expect(result.text == "The most obvious example of a color is")
    #expect(result.completion?.finishReason == .length)
    #expect(
      result.completion?.usage
        == Usage(promptTokens: 34, cachedTokens: 0, completionTokens: 8, counted: true))
    #expect(result.completion?.model == "SmolLM2-135M-Instruct.Q4_1.gguf")
  }

  @Test func `byte by byte`() async throws {
    let bytes = try TestAssets.stream("llama-server.sse")
    #expect(try await run(bytes.map { [$0] }).text == "The most obvious example of a color is")
  }

  @Test func `cut off at any byte it is whole only from its finish reason on`() async throws {
    let bytes = try TestAssets.stream("llama-server.sse")
    let finish = try #require(bytes.firstRange(of: #""finish_reason":"length""#.utf8))
    let end = try #require(bytes[finish.upperBound...].firstRange(of: "\n\n".utf8))
    for count in bytes.indices {
      let result = try await run([Array(bytes[..<count])])
      let isWhole = count >= end.upperBound
      #expect(result.error == (isWhole ? nil : .truncated), "cut at \(count)")
      #expect("The most obvious example of a color is".hasPrefix(result.text), "cut at \(count)")
    }
  }
}

import HybridCore
import Testing

@testable import hybrid

#if LocalLlama
  /// The program with the default model, pooled expressly.
  @Suite(.serialized) struct EmbedProcessTests {
    private func run(
      _ arguments: [String], input: HybridProcess.Input = .empty
    ) async throws -> HybridProcess.Result {
      try await HybridProcess.run(
        ["embed", "--pooling", "mean"] + arguments, input: input,
        environment: ["HYBRID_THREADS": "1"])
    }

    @Test func `operands and lines of stdin have the same vectors, in JSON and plain`()
      async throws
    {
      let json = try await run(["--json", "Why is the sky blue?", "Hello"])
      #expect(json.status == 0, "\(json.errors)")
      let object = try JSONReader().read(json.output)
      #expect(object["model"] == "SmolLM2-135M-Instruct.Q4_1")
      #expect(object["dimension"]?.int == 576)
      #expect(object["pooling"] == "mean")
      #expect(object["normalised"]?.bool == true)
      #expect(object["usage"]?["promptTokens"]?.int == 7)
      #expect(object["data"]?.array?.map { $0["tokens"]?.int } == [6, 1])
      let vectors = (object["data"]?.array ?? []).map { item in
        (item["embedding"]?.array ?? []).compactMap(\.double)
      }
      #expect(vectors.map(\.count) == [576, 576])
      for vector in vectors { #expect(abs(vector.reduce(0) { $0 + $1 * $1 } - 1) < 1e-4) }

      let lines = try await run([], input: .text("Why is the sky blue?\nHello\n"))
      #expect(lines.status == 0, "\(lines.errors)")
      let plain = lines.output.split(separator: "\n").map { line in
        line.split(separator: " ").compactMap { Double($0) }
      }
      #expect(plain == vectors)

      let events = try await run(["--jsonl", "-"], input: .text("Why is the sky blue?\nHello\n"))
      let last = try JSONReader().read(
        String(try #require(events.output.split(separator: "\n").last)))
      #expect(events.output.split(separator: "\n").count == 3)
      #expect(last["event"] == "done")
      #expect(last["usage"]?["promptTokens"]?.int == 7)
    }

    @Test func `a text beyond the context is bad data unless it may be cut`() async throws {
      let long = Array(repeating: "word", count: 40).joined(separator: " ")
      let refused = try await run(["--context", "32", "--json", "short", long])
      #expect(refused.status == 65)
      let error = try JSONReader().read(refused.output)["error"]
      #expect(error?["code"] == "contextTooLong")
      #expect(error?["details"]?["index"]?.int == 1)
      let cut = try await run(["--context", "32", "--truncate", "--json", "short", long])
      #expect(cut.status == 0, "\(cut.errors)")
      #expect(cut.errors.contains("text 1, counted from 0, was cut from 40 to 32 tokens"))
      #expect(
        try JSONReader().read(cut.output)["data"]?.array?.last?["truncatedFrom"]?.int == 40)
    }

    @Test func `an empty line is told by its number, and left out when that is asked`()
      async throws
    {
      let input = "Why is the sky blue?\n\nHello\n"
      let refused = try await run(["--json"], input: .text(input))
      #expect(refused.status == 65)
      #expect(try JSONReader().read(refused.output)["error"]?["details"]?["line"]?.int == 2)
      let skipped = try await run(["--json", "--skip-blank"], input: .text(input))
      #expect(skipped.status == 0, "\(skipped.errors)")
      #expect(skipped.errors.contains("line 2 of stdin is blank"))
      let data = try JSONReader().read(skipped.output)["data"]?.array ?? []
      #expect(data.map { $0["line"]?.int } == [1, 3])
    }

    @Test func `the help tells how long a text may be`() async throws {
      let help = try await HybridProcess.run(["embed", "--help"]).output
      #expect(help.contains("2048") && help.contains("512"))
    }

    @Test(
      arguments: [
        (["embed", "cat"], 69, "--pooling mean"),
        (["embed", "--pooling", "none", "cat"], 64, "vector for each token"),
        (["embed", "--pooling", "rank", "cat"], 64, "reranker"),
        (["embed", "--pooling", "max", "cat"], 64, "mean, cls or last"),
        (["embed", "--pooling", "mean", "--context", "9000", "cat"], 78, "8192"),
        (["embed", "--pooling", "mean", "cat", ""], 65, "text 1"),
        (["embed", "--pooling", "mean"], 65, "no text"),
        (["embed", "--pooling", "mean", "--json", "--jsonl", "cat"], 64, "contradict"),
        (["embed", "--local-model", "/no/such.gguf", "cat"], 69, "no model file"),
      ] as [([String], Int32, String)])
    func `what cannot be embedded ends with its own code and says why`(
      arguments: [String], status: Int32, says: String
    ) async throws {
      let result = try await HybridProcess.run(arguments)
      #expect(result.status == status, "\(result.errors)")
      #expect(result.errors.contains(says), "\(result.errors)")
    }
  }
#endif

#if LocalLlama
  import Testing

  /// llama.cpp with what the pre-flight lets through, in processes that may end.
  @Suite struct BadFilesTests {
    @Test func `what passes the pre-flight works or fails with a type, and ends no process`()
      async throws
    {
      let (status, output) = try await BenchmarkProcess.run(
        "BadFiles", ["--sets", "mutants,smashes", "--mutants", "40", "--smashes", "25"])
      #expect(status == 0, "\(output)")
      let rows = output.split(separator: "\n").map { $0.split(separator: " ").prefix(2) }
      #expect(rows.contains(["mutants", "40"]) && rows.contains(["smashes", "25"]), "\(output)")
    }
  }
#endif

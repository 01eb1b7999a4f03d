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
      #expect(output.contains("mutants           40"), "\(output)")
      #expect(output.contains("smashes           25"), "\(output)")
    }
  }
#endif

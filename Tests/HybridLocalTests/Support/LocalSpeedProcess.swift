#if LocalLlama
  /// `LocalSpeed` in a process of its own, since other tests' threads, files and memory come and go in
  /// this one.
  enum LocalSpeedProcess {
    static func run(_ arguments: [String]) async throws -> (status: Int32, output: String) {
      try await BenchmarkProcess.run("LocalSpeed", arguments + ["--model", try TestAssets.model()])
    }
  }
#endif

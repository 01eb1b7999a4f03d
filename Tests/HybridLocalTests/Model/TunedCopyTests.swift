#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import Testing

  extension RealModel {
    struct TunedCopyTests {
      private func executor(_ cache: String, uses: Bool = true) throws -> LocalExecutor {
        LocalExecutor(
          modelPath: try TestAssets.model(),
          options: .init(
            contextLength: 256, parallelRequests: 1, threads: 1, usesTunedCopy: uses),
          time: SystemTimeSource(), machine: MachineTree(cores: 2).machine,
          environment: ["XDG_CACHE_HOME": cache])
      }

      @Test func `the default model gains from one format, and the executor uses it`() async throws
      {
        let cache = FileManager.default.temporaryDirectory.appending(path: "tune-\(UUID())").path()
        defer { try? FileManager.default.removeItem(atPath: cache) }

        let before = try executor(cache)
        _ = try await before.collect(RealModel.request("Hi", maxTokens: 1))
        guard case .absent(let reason) = before.tunedCopy else {
          Issue.record("there was a copy before the tuning")
          return
        }
        #expect(reason.contains("hybrid models tune"))
        await before.close()

        let tuner = ModelTuner(
          modelPath: try TestAssets.model(),
          options: .init(
            // A short text says less of the perplexity, and enough to tell one from the other. How
            // fast they are depends on what else runs beside the tests.
            formats: [.q8, .q4], limits: QualityLimits(perplexity: 0.03), leastGain: 0,
            promptTokens: 128, outputTokens: 8, textTokens: 256, rounds: 1, threads: 1),
          time: SystemTimeSource(), machine: MachineTree(cores: 2).machine,
          environment: ["XDG_CACHE_HOME": cache])
        let tuning = try await tuner.tune()
        #expect(tuning.copies.map(\.verdict) == [.kept, .divergence(limit: 0.01)])
        let quality = try #require(tuning.copies[0].measurement?.quality)
        #expect(quality.divergence < 0.01)
        #expect((tuning.copies[1].measurement?.quality?.divergence ?? 0) > 0.1)
        #expect(try await tuner.tune().isNew == false)

        let tuned = try executor(cache)
        let answer = try await tuned.collect(RealModel.request("Why is the sky blue?"))
        #expect(answer.completion?.tunedFormat == "Q8_0")
        #expect(answer.completion?.model == "SmolLM2-135M-Instruct.Q4_1")
        #expect(tuned.tunedCopy?.format == "Q8_0")
        #expect(answer.text.contains("sky"))
        await tuned.close()

        let plain = try executor(cache, uses: false)
        let own = try await plain.collect(RealModel.request("Hi", maxTokens: 1))
        #expect(own.completion?.tunedFormat == nil && plain.tunedCopy == nil)
        await plain.close()

        // A copy that is damaged while nothing is loaded is noticed before the next load.
        let damaged = try executor(cache)
        try await damaged.load()
        try await damaged.unload()
        let copy = FileHandle(forWritingAtPath: try #require(tuning.keptPath))
        try copy?.truncate(atOffset: 1_000_000)
        try copy?.close()
        let fallen = try await damaged.collect(RealModel.request("Hi", maxTokens: 1))
        #expect(fallen.completion?.tunedFormat == nil)
        #expect(
          damaged.tunedCopy == .absent(reason: "its tuned copy is gone or damaged: tune it again"))
        await damaged.close()
      }
    }
  }
#endif

#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import ModelFileCases
  import Testing

  /// Templates that write nothing: the engine would have nothing to go on from.
  @Suite struct EmptyPromptTests {
    /// The vocabulary begins every prompt with a mark, or does not.
    @Test(arguments: ["", " \n", "{% if false %}x{% endif %}", "{{ '' }}"], [true, false])
    func `a conversation of which the template writes nothing is refused`(
      template: String, isMarked: Bool
    ) async throws {
      var writer = GGUFWriter.tinyModel(template: template)
      writer.set("tokenizer.ggml.add_bos_token", .bool(isMarked))
      let url = FileManager.default.temporaryDirectory.appending(path: "empty-\(UUID()).gguf")
      try Data(writer.file()).write(to: url)
      let executor = LocalExecutor(modelPath: url.path())
      let request = ChatRequest(prompt: "Hello")
      let measured = await executor.measure(request)
      if case .templateRejected(_, let details) = measured {
        #expect(details["nextStep"]?.string?.contains("model file") == true)
      } else {
        Issue.record("\(measured)")
      }
      let error = await #expect(throws: HybridError.self) {
        _ = try await executor.start(request, in: ExecutionContext())
      }
      #expect(error?.code == .templateRejected)
      await executor.close()
    }
  }

  extension RealModel {
    struct NoTokensTests {
      @Test func `the engine takes no prompt of no tokens`() async throws {
        let engine = try await DeadlineTests.engine(SteppingClock(step: .milliseconds(2)))
        let error = #expect(throws: HybridError.self) {
          try engine.submit(
            EngineRequest(prompt: [], sampler: .greedy, maxTokens: 1, received: .origin))
        }
        #expect(error?.code == .invalidRequest)
        engine.shutDown(HybridError(.engineLost, "the test is over"))
        try await engine.ended.wait()
      }
    }
  }
#endif

#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import Testing

  extension RealModel {
    struct ReasoningTests {
      /// The model with a template of the same length that opens the reasoning of every answer.
      private func withThinkingModel(_ body: (LocalExecutor) async throws -> Void) async throws {
        try await RealModel.withCopy { path in
          let changes = [
            (
              "assistant named SmolLM, trained by Hugging Face",
              "assistant named SmolLM.{#</think>#}"
            ),
            ("<|im_start|>assistant\n' }}", "<|im_start|>assistant\n<think>\n' }}"),
          ]
          var bytes = try Data(contentsOf: URL(filePath: path))
          for (old, new) in changes {
            let range = try #require(bytes.range(of: Data(old.utf8)))
            bytes.replaceSubrange(range, with: Data(new.utf8))
          }
          let padding = changes.reduce(0) { $0 + $1.0.utf8.count - $1.1.utf8.count }
          let place = try #require(bytes.range(of: Data("{% for message".utf8)))
          bytes.insert(
            contentsOf: Array(repeating: UInt8(ascii: "\n"), count: padding), at: place.lowerBound)
          try bytes.write(to: URL(filePath: path))
          let executor = LocalExecutor(
            modelPath: path, options: .init(contextLength: 512, threads: 1),
            time: SystemTimeSource(), machine: .current, environment: [:])
          try await body(executor)
          await executor.close()
        }
      }

      @Test func `an answer that ends within its reasoning is empty, its tokens untold`()
        async throws
      {
        try await withThinkingModel { executor in
          let events = try await executor.start(
            request("Why is the sky blue?", maxTokens: 12) { $0.topLogProbs = 1 },
            in: ExecutionContext())
          var reasoning = ""
          var end: Completion?
          for try await event in events {
            switch event {
            case .reasoning(let piece): reasoning += piece
            case .finished(let completion): end = completion
            default: Issue.record("\(event)")
            }
          }
          #expect(reasoning.count > 12)
          #expect(end?.finishReason == .length)
          #expect(end?.usage?.completionTokens == 12)
        }
      }
    }
  }
#endif

#if LocalLlama
  import HybridCore
  import HybridLocal
  import HybridTesting
  import Testing

  extension RealModel {
    /// Several choices of one request.
    struct ChoicesTests {
      /// A request whose answers are drawn.
      static func request(
        _ choices: Int, _ prompt: String = "Name an animal and say why.", maxTokens: Int? = 12,
        change: (inout ChatRequest) -> Void = { _ in }
      ) -> ChatRequest {
        RealModel.request(prompt, maxTokens: maxTokens) {
          $0.sampling = Sampling(temperature: 1, seed: 5)
          $0.choices = choices
          change(&$0)
        }
      }

      private static func texts(_ answer: Collected) -> [String] {
        [answer.text] + answer.others.sorted { $0.key < $1.key }.map(\.value)
      }

      @Test func `say what requests with their seeds say one by one`() async throws {
        let executor = try executor(contextLength: 256, parallel: 3, isDeterministic: true)
        // Over a chunk, so that some of the prompt may be had from the cache.
        for prompt in ["Name an animal and say why.", long(150)] {
          let together = try await executor.collect(
            Self.request(3, prompt) { $0.topLogProbs = 1 })
          var alone: [Collected] = []
          for seed in 5...7 as ClosedRange<UInt32> {
            alone.append(
              try await executor.collect(
                Self.request(1, prompt) {
                  $0.sampling.seed = seed
                  $0.topLogProbs = 1
                }))
          }
          #expect(Self.texts(together) == alone.map(\.text))
          #expect(Set(Self.texts(together)).count > 1)
          #expect(together.logProbs == alone[0].logProbs)
          #expect(together.otherLogProbs == [1: alone[1].logProbs, 2: alone[2].logProbs])
          let end = together.completion
          let ends = alone.compactMap(\.completion)
          #expect([end?.finishReason] + (end?.otherFinishReasons ?? []) == ends.map(\.finishReason))
          let usage = ends.compactMap(\.usage)
          #expect(end?.usage?.promptTokens == usage[0].promptTokens)
          #expect(
            end?.usage?.completionTokens == usage.reduce(0) { $0 + ($1.completionTokens ?? 0) })
        }
        await executor.close()
      }

      @Test func `are all the same where nothing is drawn`() async throws {
        let executor = try executor(contextLength: 256, parallel: 2, isDeterministic: true)
        let answer = try await executor.collect(Self.request(3) { $0.sampling = .greedy })
        #expect(Self.texts(answer).count == 3)
        #expect(Set(Self.texts(answer)).count == 1)
        #expect(!answer.text.isEmpty)
        await executor.close()
      }

      @Test func `share their prompt's memory, computed once and counted once`() async throws {
        let executor = try executor(contextLength: 1024, parallel: 3)
        try await executor.load()
        let prompt = long(600)
        let stream = try await executor.start(
          Self.request(3, prompt, maxTokens: 40), in: ExecutionContext())
        var begun: Set<Int> = []
        var cells = 0
        var end: Completion?
        for try await event in stream {
          if let output = event.output, begun.insert(output.choice).inserted, begun.count == 3 {
            cells = executor.runningCells
          }
          if case .finished(let completion) = event { end = completion }
        }
        let usage = try #require(end?.usage)
        let promptTokens = try #require(usage.promptTokens)
        #expect(promptTokens > 600)
        // Nothing was there before: what the later ones found is not called cached.
        #expect(usage.cachedTokens == 0)
        #expect((1...120).contains(usage.completionTokens ?? 0))
        // Once the prompt, and what three answers have of their own.
        #expect(cells > promptTokens)
        #expect(cells < promptTokens + 3 * 45)
        let again = try await executor.collect(Self.request(2, prompt, maxTokens: 1))
        #expect(again.completion?.usage?.cachedTokens == promptTokens - 1)
        #expect(again.completion?.usage?.completionTokens == 2)
        await executor.close()
      }

      @Test func `more of them than run at once take turns`() async throws {
        let executor = try executor(contextLength: 256, parallel: 2, queueCapacity: 7)
        let answer = try await executor.collect(Self.request(7, maxTokens: 6))
        #expect(answer.others.count == 6)
        #expect(answer.completion?.otherFinishReasons.count == 6)
        #expect(Self.texts(answer).allSatisfy { !$0.isEmpty })
        let timings = try #require(answer.completion?.timings)
        let parts = [timings.queue, timings.load, timings.prefill, timings.decode]
        let sum = parts.reduce(Duration.zero) { $0 + ($1 ?? .zero) }
        let total = try #require(timings.total)
        #expect(sum <= total)
        // The decode is that of all of them.
        #expect(try #require(timings.decode) > total - sum)
        await executor.close()
      }

      @Test func `go into the line together or not at all`() async throws {
        let executor = try executor(contextLength: 512, parallel: 1, queueCapacity: 3)
        // More than it ever takes: said before anything is loaded.
        let never = await #expect(throws: HybridError.self) {
          try await executor.collect(Self.request(4))
        }
        #expect(never?.code == .unsupportedFeature)
        #expect(never?.details["most"] == 3)
        #expect(await executor.status().state == .notLoaded)

        let stream = try await executor.start(
          RealModel.request("Count to one thousand.", maxTokens: nil), in: ExecutionContext())
        let busy = await #expect(throws: HybridError.self) {
          try await executor.collect(Self.request(3))
        }
        #expect(busy?.code == .localBusy)
        #expect(busy?.details["choices"] == 3)
        #expect(await executor.status().queue.depth == 1)
        stream.cancel()
        while await executor.status().queue.depth > 0 { await Task.yield() }
        let answer = try await executor.collect(Self.request(3, maxTokens: 2))
        #expect(answer.others.count == 2)
        await executor.close()
      }

      @Test func `stopped in the middle they all end, and leave nothing behind`() async throws {
        let executor = try executor(contextLength: 512, parallel: 2)
        try await executor.load()
        // Two run, three wait.
        let request = Self.request(5, "Count to one thousand.", maxTokens: nil)
        let stream = try await executor.start(request, in: ExecutionContext())
        var pieces = 0
        let answer = try await Collected(stream) { _ in
          pieces += 1
          if pieces == 3 { stream.cancel() }
        }
        #expect(answer.completion?.finishReason == .cancelled)
        #expect(answer.completion?.otherFinishReasons == Array(repeating: .cancelled, count: 4))
        #expect(answer.completion?.usage?.promptTokens ?? 0 > 30)
        #expect(await executor.status().queue.depth == 0)
        #expect(executor.runningCells == 0)

        // Dropped: nobody reads the end.
        var dropped: ExecutorStream? = try await executor.start(request, in: ExecutionContext())
        _ = try await dropped?.makeAsyncIterator().next()
        dropped = nil
        while await executor.status().queue.depth > 0 { await Task.yield() }
        #expect(executor.runningCells == 0)
        await executor.close()
      }

      @Test func `a deadline ends them all with one error`() async throws {
        let clock = ManualClock()
        let executor = try executor(contextLength: 512, parallel: 2, time: clock)
        try await executor.load()
        let request = Self.request(4, "Count to one thousand.", maxTokens: nil) {
          $0.deadline = .seconds(9)
        }
        let ends = EndLog()
        let stream = try await executor.start(
          request, in: ExecutionContext(onAttempt: { ends.add($0.failure) }))
        var text = ""
        let error = await #expect(throws: HybridError.self) {
          for try await event in stream {
            if case .text(let piece) = event { text += piece }
            if !text.isEmpty { clock.advance(by: .seconds(10)) }
          }
        }
        #expect(error?.code == .deadlineExceeded)
        #expect(error?.committed == true)
        #expect(error?.partialText == text)
        #expect(ends.codes == [.deadlineExceeded])
        while await executor.status().queue.depth > 0 { await Task.yield() }
        #expect(executor.runningCells == 0)
        await executor.close()
      }

      @Test func `a stop string and a full context end each for itself`() async throws {
        let executor = try executor(contextLength: 64, parallel: 3, isDeterministic: true)
        let plain = try await executor.collect(Self.request(3, maxTokens: nil))
        let reasons =
          [plain.completion?.finishReason] + (plain.completion?.otherFinishReasons ?? [])
        #expect(reasons.allSatisfy { $0 == .contextFull || $0 == .stop })
        #expect(reasons.contains(.contextFull))
        // Of the last one alone: the others go on.
        let last = try #require(plain.others[2])
        let stop = String(last.suffix(last.count / 2).prefix(12))
        let others = [plain.text, plain.others[1] ?? ""]
        #expect(others.allSatisfy { !$0.contains(stop) })
        let cut = try await executor.collect(Self.request(3, maxTokens: nil) { $0.stop = [stop] })
        #expect(cut.completion?.otherFinishReasons.last == .stop)
        #expect(cut.others[2].map { last.hasPrefix($0) && !$0.contains(stop) } == true)
        #expect([cut.text, cut.others[1] ?? ""] == others)
        await executor.close()
      }

      @Test func `an engine that fails ends them with its own error, once`() async throws {
        try await RealModel.withCopy { path in
          try FailureTests.damage(path)
          let executor = try executor(path: path, parallel: 2)
          try await executor.load()
          let ends = EndLog()
          let error = await #expect(throws: HybridError.self) {
            try await executor.collect(
              Self.request(4), in: ExecutionContext(onAttempt: { ends.add($0.failure) }))
          }
          #expect(error?.code == .decodeFailed)
          #expect(ends.codes == [.decodeFailed])
          await executor.close()
        }
      }
    }
  }
#endif

#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import HybridTesting
  import Testing

  extension RealModel {
    /// Workers with the real model, beside an executor in this process.
    struct WorkerTests {
      private func options(parallel: Int = 1) -> LocalExecutor.Options {
        LocalExecutor.Options(
          contextLength: 512, parallelRequests: parallel, isDeterministic: parallel == 1,
          threads: 1, queueCapacity: 8)
      }

      private func worker(
        parallel: Int = 1, time: any TimeSource = SystemTimeSource()
      ) throws -> LocalWorker {
        LocalWorker(
          executable: ScriptedWorkerTests.program, arguments: ["serve"],
          modelPath: try TestAssets.model(), options: .init(model: options(parallel: parallel)),
          time: time)
      }

      private func events(
        _ side: any LocalSide, _ request: ChatRequest
      ) async throws -> [ExecutorEvent] {
        var events: [ExecutorEvent] = []
        for try await event in try await side.start(request, in: ExecutionContext()) {
          events.append(event)
        }
        return events
      }

      /// All but the times, which no two runs have alike.
      private func timeless(_ events: [ExecutorEvent]) -> [ExecutorEvent] {
        events.map { event in
          guard case .finished(var completion) = event else { return event }
          completion.timings = Timings()
          return .finished(completion)
        }
      }

      @Test func `answers, states and counts are those of an executor in this process`()
        async throws
      {
        let (worker, executor) = (
          try worker(), LocalExecutor(modelPath: try TestAssets.model(), options: options())
        )
        func alike(_ when: String) async {
          var (one, other) = (await worker.status(), await executor.status())
          // Memory that others take and free meanwhile.
          one.memory = nil
          other.memory = nil
          #expect(one == other, "\(when)")
        }
        await alike("before the load")
        let requests = [
          RealModel.request("Why is the sky blue?"),
          RealModel.request("Name a colour.", maxTokens: 6) { request in
            request.sampling = Sampling(temperature: 1, seed: 7)
            request.choices = 2
            request.topLogProbs = 3
          },
        ]
        for request in requests {
          #expect(await worker.measure(request) == executor.measure(request))
          let (one, other) = (
            try await events(worker, request), try await events(executor, request)
          )
          #expect(timeless(one) == timeless(other))
          #expect(one.count > 3)
        }
        await alike("after the load")
        let common = [ChatMessage.system("You answer in one sentence. " + RealModel.long(200))]
        #expect(try await worker.prewarm(common) == executor.prewarm(common))
        try await worker.unload()
        try await executor.unload()
        await alike("after the unload")
        await worker.close()
        await executor.close()
      }

      @Test func `a load tells how far it has come`() async throws {
        let worker = try worker()
        let (fractions, heard) = AsyncStream.makeStream(of: Double.self)
        try await worker.load { heard.yield($0) }
        heard.finish()
        var told: [Double] = []
        for await fraction in fractions { told.append(fraction) }
        #expect(told.count > 10)
        #expect(told == told.sorted())
        #expect(told.last == 1)
        #expect(await worker.status().state == .ready)
        await worker.close()
      }

      @Test func `a cancel ends an answer in good order`() async throws {
        let worker = try worker()
        let ends = EndLog()
        let stream = try await worker.start(
          RealModel.request("Write a long story about a sailor.", maxTokens: 400),
          in: ExecutionContext(onAttempt: { ends.add($0.failure) }))
        var text = ""
        var completion: Completion?
        for try await event in stream {
          if case .text(let piece) = event { text += piece }
          if case .finished(let end) = event { completion = end }
          stream.cancel()
        }
        #expect(completion?.finishReason == .cancelled)
        #expect(!text.isEmpty)
        #expect(ends.codes == [.cancelled])
        #expect(await worker.status().queue.depth == 0)
        await worker.close()
      }

      @Test func `a deadline ends an answer as in this process`() async throws {
        let worker = try worker()
        try await worker.load()
        var request = RealModel.request("Write a long story about a sailor.", maxTokens: 450)
        request.deadline = .milliseconds(300)
        let error = await #expect(throws: HybridError.self) {
          for try await _ in try await worker.start(request, in: ExecutionContext()) {}
        }
        #expect(error?.code == .deadlineExceeded)
        #expect(worker.restarts == 0)
        await worker.close()
      }

      @Test func `a killed worker loses nothing that it had said, and the next one answers`()
        async throws
      {
        let clock = ManualClock()
        let worker = try worker(time: clock)
        let ends = EndLog()
        var text = ""
        let error = await #expect(throws: HybridError.self) {
          let stream = try await worker.start(
            RealModel.request("Write a long story about a sailor.", maxTokens: 450),
            in: ExecutionContext(onAttempt: { ends.add($0.failure) }))
          for try await event in stream {
            if case .text(let piece) = event { text += piece }
            if let process = worker.processID { kill(process, SIGKILL) }
          }
        }
        #expect(error?.code == .engineLost)
        #expect(error?.details["signal"] == "SIGKILL")
        #expect(error?.partialText == text)
        #expect(error?.committed == true)
        #expect(ends.codes == [.engineLost])
        #expect(await worker.status().failure?.until == clock.now() + .seconds(1))
        clock.advance(by: .seconds(1))
        let next = try await events(worker, RealModel.request("Why is the sky blue?", maxTokens: 4))
        #expect(next.count > 1)
        #expect(worker.restarts == 1)
        // An answer was given: the next crash is a first one again.
        kill(try #require(worker.processID), SIGKILL)
        while worker.processID != nil { await Task.yield() }
        #expect(await worker.status().failure?.until == clock.now() + .seconds(1))
        await worker.close()
      }

      @Test func `a reader that sleeps holds up nobody else, and loses nothing`() async throws {
        let worker = try worker(parallel: 2)
        // More than may be under way unread.
        let request = RealModel.request(
          "Write a long story about a sailor.", maxTokens: 300
        ) { $0.topLogProbs = 20 }
        let sleeping = try await worker.start(request, in: ExecutionContext())
        for _ in 0..<3 {
          let other = try await events(worker, RealModel.request("Name a colour.", maxTokens: 4))
          #expect(other.count > 1)
        }
        var tokens = 0
        var completion: Completion?
        for try await event in sleeping {
          if case .logProbs(let told) = event { tokens += told.count }
          if case .finished(let end) = event { completion = end }
        }
        #expect(completion?.usage?.completionTokens == 300)
        #expect(tokens == 300)
        await worker.close()
      }

      @Test func `a reader that goes frees its place`() async throws {
        let worker = try worker()
        let ends = EndLog()
        var stream: ExecutorStream? = try await worker.start(
          RealModel.request("Write a long story about a sailor.", maxTokens: 450),
          in: ExecutionContext(onAttempt: { ends.add($0.failure) }))
        _ = stream.take()
        // Waits for the one place.
        let other = try await events(worker, RealModel.request("Name a colour.", maxTokens: 4))
        #expect(other.count > 1)
        #expect(ends.codes == [.cancelled])
        #expect(await worker.status().queue.depth == 0)
        await worker.close()
      }

      @Test func `closing ends what runs with a typed error, and the process`() async throws {
        let worker = try worker()
        let stream = try await worker.start(
          RealModel.request("Write a long story about a sailor.", maxTokens: 450),
          in: ExecutionContext())
        let process = try #require(worker.processID)
        await worker.close()
        #expect(kill(process, 0) != 0)
        let error = await #expect(throws: HybridError.self) { for try await _ in stream {} }
        #expect(error?.code == .engineLost)
      }

      @Test func `a worker with too little memory fails, and this process does not`() async throws {
        let worker = LocalWorker(
          executable: ScriptedWorkerTests.program, arguments: ["serve"],
          modelPath: try TestAssets.model(),
          options: .init(model: options(), memoryLimit: 400 << 20))
        let error = await #expect(throws: HybridError.self) {
          _ = try await worker.start(
            RealModel.request("Why is the sky blue?"), in: ExecutionContext())
        }
        #expect(
          [.insufficientMemory, .modelLoadFailed, .engineLost].contains(error?.code),
          "\(String(describing: error))")
        await worker.close()
      }
    }
  }
#endif

#if LocalLlama
  import HybridCore
  import HybridLocal
  import HybridTesting
  import Testing

  extension RealModel {
    struct IdleUnloadTests {
      static func executor(_ clock: ManualClock, parallel: Int = 1) throws -> LocalExecutor {
        LocalExecutor(
          modelPath: try TestAssets.model(),
          options: .init(
            contextLength: 512, parallelRequests: parallel, threads: 1, unloadsAfter: .seconds(60)),
          time: clock)
      }

      /// Waits until the model has gone; what wakes the one who unloads it has happened.
      static func gone(_ executor: LocalExecutor) async {
        while await executor.status().state == .ready { await Task.yield() }
      }

      @Test func `a loaded model that nobody uses is unloaded, and loaded again when asked`()
        async throws
      {
        let clock = ManualClock()
        let executor = try Self.executor(clock)
        try await executor.load()
        await clock.sleepers(atLeast: 1)
        #expect(clock.nextWake == clock.now() + .seconds(60))
        clock.advance(by: .seconds(59.999))
        #expect(await executor.status().state == .ready)
        clock.advance(by: .milliseconds(1))
        await Self.gone(executor)
        #expect(await executor.status().state == .notLoaded)
        #expect(clock.sleeperCount == 0)
        _ = try await executor.collect(request("hi", maxTokens: 1))
        #expect(await executor.status().state == .ready)
        await executor.close()
      }

      @Test func `the time counts from the end of the last request, and never while one is inside`()
        async throws
      {
        let clock = ManualClock()
        let executor = try Self.executor(clock)
        try await executor.load()
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(30))
        let running = try await executor.start(
          request("Count to one thousand.", maxTokens: 400), in: .init())
        let waiting = try await executor.start(request("Me too."), in: .init())
        // Far beyond the limit, and twice: nobody unloads what works.
        clock.advance(by: .seconds(1000))
        clock.advance(by: .seconds(1000))
        running.cancel()
        waiting.cancel()
        #expect(try await Collected(running).completion?.finishReason == .cancelled)
        #expect(try await Collected(waiting).completion?.finishReason == .cancelled)
        #expect(await executor.status().state == .ready)
        await clock.sleepers(atLeast: 1)
        #expect(clock.nextWake == clock.now() + .seconds(60))
        clock.advance(by: .seconds(60))
        await Self.gone(executor)
        await executor.close()
      }

      @Test func `a request in the very moment of the unload is answered`() async throws {
        let clock = ManualClock()
        let executor = try Self.executor(clock)
        for _ in 0..<10 {
          try await executor.load()
          await clock.sleepers(atLeast: 1)
          async let answer = executor.collect(request("hi", maxTokens: 1))
          clock.advance(by: .seconds(60))
          #expect(try await answer.completion?.finishReason == .length)
        }
        await executor.close()
      }

      @Test func `an unload, a close and the last reference's end leave nobody waiting`()
        async throws
      {
        let clock = ManualClock()
        var executor: LocalExecutor? = try Self.executor(clock)
        try await executor?.load()
        await clock.sleepers(atLeast: 1)
        try await executor?.unload()
        #expect(clock.sleeperCount == 0)
        try await executor?.load()
        await clock.sleepers(atLeast: 1)
        await executor?.close()
        #expect(clock.sleeperCount == 0)

        executor = try Self.executor(clock)
        try await executor?.load()
        await clock.sleepers(atLeast: 1)
        weak let released = executor
        executor = nil
        #expect(released == nil)
        #expect(clock.sleeperCount == 0)
      }
    }
  }
#endif

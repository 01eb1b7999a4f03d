#if LocalLlama
  import HybridCore
  import HybridLocal
  import Synchronization
  import Testing

  extension RealModel {
    /// Deadlines that pass in the middle of a decode. The clock moves 2 ms each time that it is read:
    /// between two decodes that is a few times, within one it is once an operation.
    struct DeadlineTests {
      static func engine(_ time: any TimeSource) async throws -> Engine {
        let threads = ThreadCounts(decode: 1, prefill: 1)
        let engine = try Engine(
          options: .init(
            path: TestAssets.model(), modelName: "test", contextLength: 1024,
            context: .init(length: 1024, threads: threads), queueCapacity: 4), time: time)
        _ = try await engine.loaded.wait()
        return engine
      }

      /// A prompt of one decode, with one token as its answer.
      static func request(deadline: Moment? = nil, at now: Moment) -> EngineRequest {
        EngineRequest(
          prompt: (0..<400).map { Token(1000 + $0) }, sampler: .greedy, maxTokens: 1,
          deadline: deadline, received: now)
      }

      static func outcome(of job: EngineJob) async -> Result<Completion, HybridError> {
        do throws(HybridError) {
          while let event = try await job.events.next() {
            if case .finished(let completion) = event { return .success(completion) }
          }
          return .failure(HybridError(.internal, "no end"))
        } catch {
          return .failure(error)
        }
      }

      @Test func `the running request's deadline ends it in the middle of a decode`() async throws {
        let clock = SteppingClock(step: .milliseconds(2))
        let engine = try await Self.engine(clock)
        clock.start()
        let now = clock.now()
        let job = try engine.submit(
          Self.request(deadline: now + .milliseconds(200), at: now))
        guard case .failure(let error) = await Self.outcome(of: job) else {
          Issue.record("the decode was not stopped")
          return
        }
        #expect(error.code == .deadlineExceeded)
        #expect(error.partialText == nil)
        // A few operations after it, not a decode.
        #expect(clock.now() - now < .milliseconds(300))
        // The engine goes on.
        let next = await Self.outcome(of: try engine.submit(Self.request(at: now)))
        #expect(try next.get().finishReason == .length)
        engine.shutDown(HybridError(.engineLost, "the test is over"))
        try await engine.ended.wait()
      }

      @Test func `a waiting request is told of its deadline in the middle of another's decode`()
        async throws
      {
        let clock = SteppingClock(step: .milliseconds(2))
        let engine = try await Self.engine(clock)
        clock.start()
        let now = clock.now()
        let ends = Mutex<[String]>([])
        @Sendable func note(_ name: String) -> @Sendable (ErrorCode?) -> Void {
          { code in ends.withLock { $0.append("\(name) \(code?.rawValue ?? "well")") } }
        }
        let running = try engine.submit(Self.request(at: now), onEnd: note("running"))
        let waiting = try engine.submit(
          Self.request(deadline: now + .milliseconds(200), at: now), onEnd: note("waiting"))
        let outcome = await Self.outcome(of: waiting)
        #expect(throws: HybridError.self) { try outcome.get() }
        #expect(try await Self.outcome(of: running).get().finishReason == .length)
        #expect(ends.withLock { $0 } == ["waiting deadlineExceeded", "running well"])
        engine.shutDown(HybridError(.engineLost, "the test is over"))
        try await engine.ended.wait()
      }
    }
  }
#endif

#if LocalLlama
  import HybridCore
  import HybridLocal
  import HybridTesting
  import Synchronization
  import Testing

  extension RealModel {
    struct QueueTests {
      @Test func `a cancel in mid-answer keeps the text and frees the engine`() async throws {
        let executor = try executor()
        let reference = try await executor.collect(request("Name three colours."))
        let stream = try await executor.start(
          request("Count to one thousand.", maxTokens: 400), in: ExecutionContext())
        let cancelled = try await Collected(stream) { _ in stream.cancel() }
        #expect(!cancelled.text.isEmpty)
        #expect(cancelled.completion?.finishReason == .cancelled)
        #expect((cancelled.completion?.usage?.completionTokens ?? 99) < 10)
        #expect(await executor.status().queue.depth == 0)
        // What it left in the context's memory does no harm.
        #expect(try await executor.collect(request("Name three colours.")).text == reference.text)
        await executor.close()
      }

      @Test func `a cancel in the middle of the prompt ends it within a batch`() async throws {
        let executor = try executor(contextLength: 4096)
        try await executor.load()
        let reference = try await executor.collect(request("Name three colours."))
        let stream = try await executor.start(request(long(3800)), in: ExecutionContext())
        stream.cancel()
        let cancelled = try await Collected(stream)
        #expect(cancelled.text.isEmpty)
        #expect(cancelled.completion?.finishReason == .cancelled)
        // Had it gone on, more than these would be in memory now.
        let after = try await executor.collect(request(long(900), maxTokens: 1))
        #expect((after.completion?.usage?.promptTokens ?? 0) > 900)
        #expect((after.completion?.usage?.cachedTokens ?? 9_999) < 800)
        #expect(try await executor.collect(request("Name three colours.")).text == reference.text)
        await executor.close()
      }

      @Test func `a waiting request is cancelled without a touch to the running one`() async throws
      {
        let executor = try executor()
        try await executor.load()
        let long = request("Count to one thousand.", maxTokens: 200)
        let alone = try await executor.collect(long).text
        let running = try await executor.start(long, in: ExecutionContext())
        let waiting = try await executor.start(request("Never."), in: ExecutionContext())
        let last = try await executor.start(request("Say hello."), in: ExecutionContext())
        #expect(await executor.status().queue.depth == 3)
        waiting.cancel()
        let cancelled = try await Collected(waiting)
        #expect(cancelled.completion?.finishReason == .cancelled)
        #expect(cancelled.completion?.usage?.completionTokens == 0)
        #expect(await executor.status().queue.depth == 2)
        #expect(try await Collected(running).text == alone)
        #expect(try await Collected(last).completion?.finishReason != .cancelled)
        await executor.close()
      }

      @Test func `a full queue refuses with its numbers`() async throws {
        let executor = try executor(queueCapacity: 1)
        let running = try await executor.start(
          request("Count to one hundred.", maxTokens: 200), in: ExecutionContext())
        let ends = Mutex<[Attempt]>([])
        let error = await #expect(throws: HybridError.self) {
          try await executor.collect(
            request("Me too."),
            in: ExecutionContext(onAttempt: { attempt in ends.withLock { $0.append(attempt) } }))
        }
        #expect(error?.code == .localBusy)
        #expect(error?.details["queueCapacity"]?.int == 1)
        #expect(ends.withLock { $0.map(\.failure) } == [.localBusy])
        running.cancel()
        _ = try await Collected(running)
        _ = try await executor.collect(request("Now me."))
        await executor.close()
      }

      @Test func `a dropped stream frees the engine`() async throws {
        let executor = try executor(queueCapacity: 1)
        try await firstPiece(of: executor)
        // The engine sees the cancel at its next token; until then it is busy.
        var answer: Collected?
        while answer == nil {
          do throws(HybridError) {
            answer = try await executor.collect(request("Say hello.", maxTokens: 4))
          } catch {
            #expect(error.code == .localBusy)
            await Task.yield()
          }
        }
        #expect(answer?.completion != nil)
        await executor.close()
      }

      /// Begins an answer and drops it.
      func firstPiece(of executor: LocalExecutor) async throws {
        let stream = try await executor.start(
          request("Count to one thousand.", maxTokens: 400), in: ExecutionContext())
        let iterator = stream.makeAsyncIterator()
        _ = try await iterator.next()
      }

      @Test func `a cancelled task throws cancelled`() async throws {
        let executor = try executor()
        try await executor.load()
        let task = Task {
          try await executor.collect(request("Count to one thousand.", maxTokens: 400))
        }
        task.cancel()
        let error = await #expect(throws: HybridError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        await executor.close()
      }

      @Test func `a deadline ends the answer as an error with the text so far`() async throws {
        let clock = ManualClock()
        let executor = try executor(time: clock)
        let ends = Mutex<[ErrorCode?]>([])
        let stream = try await executor.start(
          request("Count to one thousand.", maxTokens: 400),
          in: ExecutionContext(
            deadline: clock.now() + .seconds(10),
            onAttempt: { attempt in ends.withLock { $0.append(attempt.failure) } }))
        let error = await #expect(throws: HybridError.self) {
          try await Collected(stream) { _ in clock.advance(by: .seconds(10)) }
        }
        #expect(error?.code == .deadlineExceeded)
        #expect(error?.committed == true)
        #expect(error?.partialText?.isEmpty == false)
        #expect(ends.withLock { $0 } == [.deadlineExceeded])
        await executor.close()
      }

      @Test func `a request that waits past its deadline is told at once`() async throws {
        let clock = ManualClock()
        let executor = try executor(time: clock)
        let running = try await executor.start(
          request("Count to one thousand.", maxTokens: 400), in: ExecutionContext())
        let waiting = try await executor.start(
          request("Say hello.") { $0.deadline = .seconds(1) }, in: ExecutionContext())
        clock.advance(by: .seconds(1))
        let error = await #expect(throws: HybridError.self) { try await Collected(waiting) }
        #expect(error?.code == .deadlineExceeded)
        #expect(error?.committed == false)
        running.cancel()
        #expect(try await Collected(running).completion?.finishReason == .cancelled)
        await executor.close()
      }

      @Test func `a deadline that passes during the load is not waited out`() async throws {
        let clock = ManualClock()
        let executor = try executor(time: clock)
        let error = await #expect(throws: HybridError.self) {
          try await executor.start(
            request("Say hello."), in: ExecutionContext(deadline: clock.now()))
        }
        #expect(error?.code == .deadlineExceeded)
        try await executor.load()
        #expect(await executor.status().queue.depth == 0)
        await executor.close()
      }

      @Test func `a permit that is refused starts nothing`() async throws {
        let executor = try executor()
        let error = await #expect(throws: HybridError.self) {
          try await executor.collect(
            request("hi"),
            in: ExecutionContext(permit: { _ in HybridError(.invalidRequest, "not allowed") }))
        }
        #expect(error?.message == "not allowed")
        #expect(await executor.status().state == .notLoaded)
      }
    }
  }
#endif

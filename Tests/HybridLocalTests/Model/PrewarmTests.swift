#if LocalLlama
  import HybridCore
  import HybridLocal
  import Testing

  extension RealModel {
    struct PrewarmTests {
      static let system = ChatMessage.system(
        String(repeating: "You answer briefly, and never in verse. ", count: 12))

      static func ask(
        _ question: String, _ executor: LocalExecutor
      ) async throws -> Usage? {
        let messages = [Self.system, .user(question)]
        return try await executor.collect(
          ChatRequest(messages: messages, sampling: .greedy, maxTokens: 2)
        ).completion?.usage
      }

      @Test func `what requests share is computed before the first of them`() async throws {
        let executor = try executor(parallel: 2, total: 1024)
        let count = try await executor.prewarm([Self.system])
        #expect(count > 100)
        #expect(await executor.status().queue.depth == 0)
        #expect(await executor.status().state == .ready)
        for question in ["What is 2 + 2?", "Name a colour.", "1"] {
          let usage = try await Self.ask(question, executor)
          #expect((usage?.cachedTokens ?? 0) >= count, "\(question)")
          #expect((usage?.cachedTokens ?? 0) < usage?.promptTokens ?? 0)
        }
        await executor.close()
      }

      @Test func `a whole prompt is computed but for its last token`() async throws {
        let executor = try executor()
        let messages = [Self.system, .user("Name a colour.")]
        let count = try await executor.prewarm(messages)
        let usage = try await Self.ask("Name a colour.", executor)
        #expect(usage?.promptTokens == count)
        #expect(usage?.cachedTokens == count - 1)
        await executor.close()
      }

      @Test func `where answers are deterministic whole chunks are found again`() async throws {
        let executor = try executor(isDeterministic: true)
        let count = try await executor.prewarm([Self.system])
        let usage = try await Self.ask("Name a colour.", executor)
        #expect((usage?.cachedTokens ?? 0) == count / 128 * 128)
        await executor.close()
      }

      @Test func `it is work in the queue, and is stopped like a request`() async throws {
        let executor = try executor(queueCapacity: 2)
        let running = try await executor.start(
          request("Count to one thousand.", maxTokens: 400), in: .init())
        let prewarm = Task { try await executor.prewarm([Self.system]) }
        while await executor.status().queue.depth < 2 { await Task.yield() }
        let full = await #expect(throws: HybridError.self) {
          try await executor.prewarm([Self.system])
        }
        #expect(full?.code == .localBusy)
        let busy = await #expect(throws: HybridError.self) { try await executor.unload() }
        #expect(busy?.code == .localBusy)
        prewarm.cancel()
        let cancelled = await #expect(throws: HybridError.self) { try await prewarm.value }
        #expect(cancelled?.code == .cancelled)
        #expect(await executor.status().queue.depth == 1)
        running.cancel()
        _ = try await Collected(running)
        await executor.close()
      }

      static let refused: [(code: ErrorCode, messages: [ChatMessage], deadline: Duration?)] = [
        (.invalidRequest, [.user("  ")], nil),
        (.invalidRequest, [.system("Hi.")], .zero),
        (.contextTooLong, [.system(long(900))], nil),
        (.deadlineExceeded, [.system(long(300))], .nanoseconds(1)),
      ]

      @Test(arguments: refused.indices)
      func `what cannot be computed is refused with its kind`(index: Int) async throws {
        let (code, messages, deadline) = Self.refused[index]
        let executor = try executor()
        let error = await #expect(throws: HybridError.self) {
          try await executor.prewarm(messages, deadline: deadline)
        }
        #expect(error?.code == code)
        await executor.close()
        let closed = await #expect(throws: HybridError.self) {
          try await executor.prewarm([.system("Hi.")])
        }
        #expect(closed?.code == .engineLost)
      }
    }
  }
#endif

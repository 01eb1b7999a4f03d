#if LocalLlama
  import HybridCore
  import HybridLocal
  import HybridTesting
  import Testing

  extension RealModel {
    /// Several requests at once in one engine.
    struct BatchingTests {
      static let questions = [
        "Name three colours.", "What is the capital of France?", "Count to ten.",
        "Write a sentence about the sea.", "What is two and two?", "Say good morning.",
        "Name a fruit.", "Describe a tree in a few words.",
      ]

      /// All at once; their texts in the order of the questions.
      static func answers(
        of executor: LocalExecutor, to questions: [String], maxTokens: Int
      ) async throws -> [Collected] {
        try await withThrowingTaskGroup(of: (Int, Collected).self) { group in
          for (place, question) in questions.enumerated() {
            group.addTask {
              (place, try await executor.collect(request(question, maxTokens: maxTokens)))
            }
          }
          return try await group.reduce(into: [Int: Collected]()) { $0[$1.0] = $1.1 }
            .sorted { $0.key < $1.key }.map(\.value)
        }
      }

      @Test func `where answers are deterministic eight at once say what each says alone`()
        async throws
      {
        let together = try executor(contextLength: 256, parallel: 8, isDeterministic: true)
        let alone = try executor(contextLength: 256, parallel: 1, isDeterministic: true)
        // Two rounds: the second finds what the first left in the cache.
        for round in 1...2 {
          let questions = Self.questions.prefix(round == 1 ? 8 : 3)
          let texts = try await Self.answers(of: together, to: Array(questions), maxTokens: 10)
          for (question, answer) in zip(questions, texts) {
            let expected = try await alone.collect(request(question, maxTokens: 10))
            #expect(answer.text == expected.text, "round \(round): \(question)")
            #expect(answer.completion?.usage?.completionTokens == 10)
          }
        }
        await together.close()
        await alone.close()
      }

      @Test func `eight at once are all answered, with the counts of each alone`() async throws {
        let executor = try executor(contextLength: 256, parallel: 8)
        try await executor.load()
        let answers = try await Self.answers(of: executor, to: Self.questions, maxTokens: 12)
        for answer in answers {
          // Which tokens are chosen may depend on the others, and so when an answer ends.
          let generated = answer.completion?.usage?.completionTokens ?? 0
          let isWhole = answer.completion?.finishReason == .stop
          #expect(isWhole ? (1...12).contains(generated) : generated == 12)
          #expect(!answer.text.isEmpty)
        }
        let status = await executor.status()
        #expect(status.queue.depth == 0)
        await executor.close()
      }

      @Test func `a running stream goes on while a long prompt is computed`() async throws {
        let executor = try executor(contextLength: 2048, parallel: 2, total: 2048)
        try await executor.load()
        let stream = try await executor.start(
          request("Count to one thousand.", maxTokens: 1000), in: ExecutionContext())
        let pieces = stream.makeAsyncIterator()
        for _ in 0..<5 { _ = try await pieces.next() }
        let other = try await executor.start(
          request(long(300), maxTokens: 1), in: ExecutionContext())
        let otherEnd = Task { try await Collected(other) }
        var during = 0
        while await executor.status().queue.depth == 2 {
          guard case .text = try await pieces.next() else { break }
          during += 1
        }
        // In one piece the prompt would have left no step to the stream.
        #expect(during >= 3)
        #expect(try await otherEnd.value.completion?.finishReason == .length)
        stream.cancel()
        await executor.close()
      }

      @Test func `where all need more than there is they take turns, and all end`() async throws {
        // Four requests of some 140 tokens each share 256.
        let executor = try executor(contextLength: 150, parallel: 4, total: 256)
        try await executor.load()
        let questions = (1...4).map { "Write a long story about the number \($0)." }
        let answers = try await Self.answers(of: executor, to: questions, maxTokens: 90)
        for answer in answers {
          let generated = answer.completion?.usage?.completionTokens ?? 0
          let isWhole = answer.completion?.finishReason == .stop
          #expect(isWhole ? (1...90).contains(generated) : generated == 90)
        }
        await executor.close()
      }

      @Test func `random cancels, deadlines and lengths leave nothing behind`() async throws {
        let executor = try executor(
          contextLength: 256, parallel: 4, total: 512, queueCapacity: 64)
        try await executor.load()
        var random = SeededGenerator(seed: 3)
        let plans = (0..<60).map { number in
          (
            prompt: long(Int.random(in: 10...80, using: &random)) + "\(number)",
            tokens: Int.random(in: 1...12, using: &random),
            cancelAfter: Int.random(in: 0...20, using: &random),
            deadline: Int.random(in: 0...9, using: &random) == 0 ? Duration.milliseconds(200) : nil
          )
        }
        let ends = await withTaskGroup(of: String.self) { group in
          for plan in plans {
            group.addTask {
              do throws(HybridError) {
                let stream = try await executor.start(
                  RealModel.request(plan.prompt, maxTokens: plan.tokens) {
                    $0.deadline = plan.deadline
                  }, in: ExecutionContext())
                var pieces = 0
                if plan.cancelAfter == 0 { stream.cancel() }
                let answer = try await Collected(stream) { _ in
                  pieces += 1
                  if pieces == plan.cancelAfter { stream.cancel() }
                }
                return answer.completion?.finishReason.rawValue ?? "none"
              } catch {
                return error.code.rawValue
              }
            }
          }
          return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(ends.values.reduce(0, +) == plans.count)
        #expect(Set(ends.keys).isSubset(of: ["stop", "length", "cancelled", "deadlineExceeded"]))
        #expect(await executor.status().queue.depth == 0)
        #expect(executor.runningCells == 0)
        // The whole of what one request may take is free.
        let whole = try await executor.collect(request(long(190), maxTokens: 200))
        #expect(whole.completion?.finishReason == .contextFull)
        let usage = whole.completion?.usage
        #expect((usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0) == 257)
        await executor.close()
      }

      @Test(.timeLimit(.minutes(2)))
      func `a queue of a thousand takes as many as it holds, and refuses each other with numbers`()
        async throws
      {
        let executor = try executor(contextLength: 128, parallel: 2, queueCapacity: 16)
        // While the load is held up nothing begins, and nothing ends.
        let gate = LoadGate()
        let load = await gate.begin(executor)
        try await withThrowingTaskGroup(of: HybridError?.self) { group in
          for _ in 0..<1000 {
            group.addTask {
              do throws(HybridError) {
                let answer = try await executor.collect(RealModel.request("Hi.", maxTokens: 1))
                #expect(answer.completion?.usage?.completionTokens == 1)
                return nil
              } catch {
                return error
              }
            }
          }
          var refusals: [HybridError] = []
          while refusals.count < 984, let refusal = try await group.next() ?? nil {
            refusals.append(refusal)
          }
          #expect(refusals.count == 984)
          #expect(
            refusals.allSatisfy { refusal in
              refusal.code == .localBusy && refusal.details["queueDepth"]?.int == 16
                && refusal.details["queueCapacity"]?.int == 16
                && (refusal.details["expectedWait"]?.double ?? -1) >= 0
            }, "\(String(describing: refusals.last))")
          #expect(await executor.status().queue.depth == 16)
          gate.open()
          var answered = 0
          for try await refusal in group where refusal == nil { answered += 1 }
          #expect(answered == 16)
        }
        try await load.value
        #expect(await executor.status().queue.depth == 0)
        await executor.close()
      }

      @Test func `eight conversations at once say what each says after the other`() async throws {
        let together = try executor(
          contextLength: 256, parallel: 8, isDeterministic: true, threads: 1)
        let alone = try executor(contextLength: 256, parallel: 1, isDeterministic: true, threads: 1)
        // Longer than one chunk, which is there already one after another, and is not for all at once.
        @Sendable func texts(_ question: String, _ executor: LocalExecutor) async throws -> [String]
        {
          var messages: [ChatMessage] = [.user("\(long(100))\(question)")]
          var texts: [String] = []
          for _ in 1...2 {
            let answer = try await executor.collect(
              ChatRequest(messages: messages, sampling: .greedy, maxTokens: 4))
            #expect((answer.completion?.usage?.promptTokens ?? 0) > 128)
            texts.append(answer.text)
            messages += [.assistant(answer.text), .user("And then?")]
          }
          return texts
        }
        let found = try await withThrowingTaskGroup(of: (String, [String]).self) { group in
          for question in Self.questions {
            group.addTask { (question, try await texts(question, together)) }
          }
          return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for question in Self.questions {
          let expected = try await texts(question, alone)
          #expect(found[question] == expected, "\(question)")
        }
        await together.close()
        await alone.close()
      }
    }
  }
#endif

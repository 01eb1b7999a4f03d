#if LocalLlama
  import HybridCore
  import HybridLocal
  import Testing

  extension RealModel {
    struct ContextTests {
      static func context(_ abort: AbortFlag = AbortFlag()) throws -> LlamaContext {
        let model = try LlamaModel(path: TestAssets.model(), part: .everything)
        return try LlamaContext(
          model: model,
          options: .init(length: 256, threads: ThreadCounts(decode: 1, prefill: 1))
        ) { abort.isRaised }
      }

      /// The likeliest token after these.
      static func next(after tokens: Range<Token>, in context: borrowing LlamaContext) -> Token? {
        context.clearMemory()
        context.clearBatch()
        for (place, token) in tokens.enumerated() {
          let isLast = place == tokens.count - 1
          guard context.addToBatch(token, position: place, wantsLogits: isLast) else { return nil }
        }
        guard context.decode() == .done,
          var sampler = try? LlamaSampler(.greedy, vocabularySize: context.model.tokenCount)
        else { return nil }
        return context.sample(with: &sampler)?.token
      }

      @Test func `a raised flag stops a decode inside, and the context works on after it`() throws {
        let abort = AbortFlag()
        let context = try Self.context(abort)
        let expected = Self.next(after: 1000..<1032, in: context)
        #expect(expected != nil)
        abort.raise()
        context.clearMemory()
        context.clearBatch()
        for place in 0..<32 {
          _ = context.addToBatch(Token(1000 + place), position: place, wantsLogits: place == 31)
        }
        let aborted = context.decode()
        #expect(aborted == .aborted)
        abort.lower()
        let after = Self.next(after: 1000..<1032, in: context)
        #expect(after == expected)
      }

      @Test func `a batch takes no token, position or sequence that llama.cpp would die of`() throws
      {
        let context = try Self.context()
        context.clearBatch()
        let empty = context.decode()
        #expect(empty == .invalidBatch)
        let size = Token(context.model.tokenCount)
        let refused = [
          context.addToBatch(size, position: 0, wantsLogits: false),
          context.addToBatch(-1, position: 0, wantsLogits: false),
          context.addToBatch(1, position: -1, wantsLogits: false),
          context.addToBatch(1, position: 0, sequence: 1, wantsLogits: false),
        ]
        #expect(refused == [false, false, false, false])
        // One sequence asks for the logits of one token.
        let logits = [
          context.addToBatch(1, position: 0, wantsLogits: true),
          context.addToBatch(1, position: 1, wantsLogits: true),
        ]
        #expect(logits == [true, false])
        let capacity = context.batchCapacity
        var taken = 1
        while taken <= capacity, context.addToBatch(1, position: taken, wantsLogits: false) {
          taken += 1
        }
        #expect(taken == capacity)
      }

      @Test func `a batch beyond the context finds no room and leaves the rest as it was`() throws {
        let context = try Self.context()
        let expected = Self.next(after: 1000..<1201, in: context)
        _ = Self.next(after: 1000..<1200, in: context)
        context.clearBatch()
        for place in 200..<300 {
          _ = context.addToBatch(1, position: place, wantsLogits: place == 299)
        }
        let refused = context.decode()
        context.clearBatch()
        _ = context.addToBatch(1200, position: 200, wantsLogits: true)
        let taken = context.decode()
        let outcomes = [refused, taken]
        #expect(outcomes == [.noRoom, .done])
        var sampler = try LlamaSampler(.greedy, vocabularySize: context.model.tokenCount)
        let token = context.sample(with: &sampler)?.token
        #expect(token == expected)
      }
    }
  }
#endif

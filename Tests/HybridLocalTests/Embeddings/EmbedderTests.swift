#if LocalLlama
  import HybridCore
  import HybridLocal
  import HybridTesting
  import Testing

  /// A generated encoder, which loads in milliseconds, with llama.cpp itself.
  struct EmbedderTests {
    static let texts = [
      "the cat sat on the mat", "why is the sky blue?", "a dog", "the dog sat on the cat, why?",
      "blue", "is it 42 or 43", "?", "mat mat mat mat mat mat mat mat",
    ]

    private static func embedder(
      _ path: String, _ options: LocalEmbedder.Options = .init(threads: 1),
      time: any TimeSource = SystemTimeSource(), machine: Machine = .current
    ) -> LocalEmbedder {
      LocalEmbedder(
        modelPath: path, options: options, time: time, machine: machine, environment: [:])
    }

    /// With a generated model's embedder, closed afterwards.
    private static func with(
      _ writer: GGUFWriter = .tinyBERT(), _ options: LocalEmbedder.Options = .init(threads: 1),
      time: any TimeSource = SystemTimeSource(),
      _ body: (LocalEmbedder) async throws -> Void
    ) async throws {
      try await writer.withFile { path in
        let embedder = embedder(path, options, time: time)
        try await body(embedder)
        await embedder.close()
      }
    }

    @Test(arguments: [1, 2, 3] as [UInt32])
    func `texts in one batch have the vectors of texts one by one`(pooling: UInt32) async throws {
      try await Self.with(.tinyBERT(pooling: pooling)) { embedder in
        let together = try await embedder.embed(Self.texts)
        #expect(together.vectors.count == Self.texts.count)
        #expect(together.dimension == 64)
        #expect(together.model == "tiny")
        #expect(together.isNormalised)
        #expect(together.pooling == [.mean, .cls, .last][Int(pooling) - 1])
        for (index, text) in Self.texts.enumerated() {
          let alone = try await embedder.embed([text])
          #expect(alone.tokenCounts == [together.tokenCounts[index]])
          let cosine = alone.vectors[0].cosine(to: together.vectors[index])
          #expect(cosine > 0.99999, "\(text): \(cosine)")
          #expect(abs(alone.vectors[0].cosine(to: alone.vectors[0]) - 1) < 1e-6)
        }
        // And differ from one another.
        for index in 1..<Self.texts.count { #expect(together.similarity(0, index) < 0.999) }
      }
    }

    @Test func `vectors have the length 1, or the model's own`() async throws {
      try await GGUFWriter.tinyBERT().withFile { path in
        func lengths(_ normalises: Bool) async throws -> [Double] {
          let embedder = Self.embedder(path, .init(normalises: normalises, threads: 1))
          let embeddings = try await embedder.embed(Self.texts)
          #expect(embeddings.isNormalised == normalises)
          await embedder.close()
          return embeddings.vectors.map { vector in
            vector.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
          }
        }
        for length in try await lengths(true) { #expect(abs(length - 1) < 1e-5) }
        for length in try await lengths(false) { #expect(length > 2) }
      }
    }

    @Test func `tokens are counted with those around each text`() async throws {
      try await Self.with { embedder in
        let texts = ["cat", "the cat", "cats!", "🦊"]
        let counts = try await embedder.countTokens(texts)
        #expect(await embedder.status().state == .notLoaded)
        // [CLS] cat [SEP]; [CLS] cat ##s ! [SEP]; the unknown token.
        #expect(counts == [3, 4, 5, 3])
        let embeddings = try await embedder.embed(texts)
        #expect(embeddings.tokenCounts == counts)
        #expect(embeddings.promptTokens == 15)
      }
    }

    @Test func `a text that is too long is refused with its index, or cut and told`() async throws {
      let long = Array(repeating: "dog", count: 100).joined(separator: " ")
      try await Self.with { embedder in
        let error = await #expect(throws: HybridError.self) {
          try await embedder.embed(["cat", long])
        }
        #expect(error?.code == .contextTooLong)
        #expect(error?.details["index"]?.int == 1)
        #expect(error?.details["promptTokens"]?.int == 102)
        #expect(error?.details["contextLength"]?.int == 64)
        #expect(error?.description.contains("dog") == false)
        // Known before anything is loaded.
        #expect(await embedder.status().state == .notLoaded)
      }
      try await Self.with(options: .init(truncates: true, threads: 1)) { embedder in
        let embeddings = try await embedder.embed(["cat", long])
        #expect(embeddings.truncations == [.init(index: 1, tokens: 102, kept: 64)])
        #expect(embeddings.tokenCounts == [3, 64])
        // What is left is embedded as such a text is.
        let short = Array(repeating: "dog", count: 62).joined(separator: " ")
        let other = try await embedder.embed([short])
        #expect(other.tokenCounts == [64])
        #expect(embeddings.vectors[1].cosine(to: other.vectors[0]) > 0.99999)
      }
    }

    private static func with(
      options: LocalEmbedder.Options, _ body: (LocalEmbedder) async throws -> Void
    ) async throws {
      try await with(.tinyBERT(), options, body)
    }

    @Test func `more texts than a batch holds come back in their order`() async throws {
      try await Self.with { embedder in
        let texts = (0..<300).map { "cat \($0) " + Self.texts[$0 % Self.texts.count] }
        let all = try await embedder.embed(texts)
        #expect(all.vectors.count == 300)
        for index in [0, 63, 64, 65, 150, 299] {
          let alone = try await embedder.embed([texts[index]])
          #expect(alone.vectors[0].cosine(to: all.vectors[index]) > 0.99999)
        }
        #expect(all.timings.prefill ?? .zero > .zero)
        #expect(all.timings.total ?? .zero >= all.timings.prefill ?? .zero)
      }
    }

    @Test func `callers at once each get their own`() async throws {
      try await Self.with { embedder in
        let alone = try await embedder.embed(Self.texts)
        try await withThrowingTaskGroup(of: (Int, Embeddings).self) { group in
          for caller in 0..<40 {
            let index = caller % Self.texts.count
            group.addTask { (index, try await embedder.embed([Self.texts[index]])) }
          }
          for try await (index, embeddings) in group {
            #expect(embeddings.vectors[0].cosine(to: alone.vectors[index]) > 0.99999)
          }
        }
        #expect(await embedder.status().queue.depth == 0)
      }
    }

    @Test func `a full queue refuses with its numbers, and has room again`() async throws {
      try await Self.with(.tinyBERT(), .init(threads: 1, queueCapacity: 2)) { embedder in
        let gate = LoadGate()
        let load = await gate.begin(embedder)
        let waiting = (0..<2).map { number in
          Task { try await embedder.embed([Self.texts[number]]) }
        }
        while await embedder.status().queue.depth < 2 { await Task.yield() }
        let error = await #expect(throws: HybridError.self) { try await embedder.embed(["cat"]) }
        #expect(error?.code == .localBusy)
        #expect(error?.details["queueCapacity"]?.int == 2)
        let unload = await #expect(throws: HybridError.self) { try await embedder.unload() }
        #expect(unload?.code == .localBusy)
        gate.open()
        try await load.value
        for task in waiting { #expect(try await task.value.vectors.count == 1) }
        #expect(try await embedder.embed(["cat"]).vectors.count == 1)
      }
    }

    @Test func `a cancelled task gives up its texts and no others`() async throws {
      try await Self.with { embedder in
        let gate = LoadGate()
        let load = await gate.begin(embedder)
        let kept = Task { try await embedder.embed([Self.texts[0]]) }
        let dropped = Task { try await embedder.embed(Self.texts) }
        while await embedder.status().queue.depth < 2 { await Task.yield() }
        dropped.cancel()
        let error = await #expect(throws: HybridError.self) { try await dropped.value }
        #expect(error?.code == .cancelled)
        #expect(await embedder.status().queue.depth == 1)
        gate.open()
        try await load.value
        #expect(try await kept.value.vectors.count == 1)
      }
    }

    @Test func `a deadline holds though the model is still being loaded`() async throws {
      let clock = ManualClock()
      try await Self.with(time: clock) { embedder in
        let gate = LoadGate()
        let load = await gate.begin(embedder)
        let late = Task { try await embedder.embed(["cat"], deadline: .seconds(5)) }
        while await embedder.status().queue.depth < 1 { await Task.yield() }
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: HybridError.self) { try await late.value }
        #expect(error?.code == .deadlineExceeded)
        #expect(error?.details["texts"]?.int == 1)
        #expect(error?.message == "the deadline passed before the text was embedded")
        while await embedder.status().queue.depth > 0 { await Task.yield() }
        gate.open()
        try await load.value
        #expect(
          try await embedder.embed(["cat"], deadline: .seconds(5)).vectors.count == 1)
        await #expect(throws: HybridError.self) {
          try await embedder.embed(["cat"], deadline: .zero)
        }
      }
    }

    @Test func `an unloaded model is loaded again, a closed embedder is not`() async throws {
      try await Self.with { embedder in
        let first = try await embedder.embed(["cat"])
        #expect(first.timings.load != nil)
        #expect(await embedder.status().state == .ready)
        #expect(await embedder.status().contextLength == 64)
        try await embedder.unload()
        #expect(await embedder.status().state == .notLoaded)
        #expect(await embedder.status().memory != nil)
        #expect(try await embedder.embed(["cat"]).vectors == first.vectors)
        let gate = LoadGate()
        try await embedder.unload()
        let load = await gate.begin(embedder)
        let waiting = Task { try await embedder.embed(["dog"]) }
        while await embedder.status().queue.depth < 1 { await Task.yield() }
        let close = Task { await embedder.close() }
        let lost = await #expect(throws: HybridError.self) { try await waiting.value }
        #expect(lost?.code == .engineLost)
        gate.open()
        await close.value
        await #expect(throws: HybridError.self) { try await load.value }
        let error = await #expect(throws: HybridError.self) { try await embedder.embed(["cat"]) }
        #expect(error?.code == .engineLost)
        #expect(error?.message.contains("embedder") == true)
      }
    }

    @Test func `a model that nobody uses is unloaded after its time`() async throws {
      let clock = ManualClock()
      try await Self.with(.tinyBERT(), .init(threads: 1, unloadsAfter: .seconds(60)), time: clock) {
        embedder in
        _ = try await embedder.embed(["cat"])
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(60))
        while await embedder.status().state == .ready { await Task.yield() }
        #expect(await embedder.status().state == .notLoaded)
        #expect(try await embedder.embed(["cat"]).vectors.count == 1)
      }
    }

    @Test func `a machine without the memory refuses before the load`() async throws {
      try await GGUFWriter.tinyBERT().withFile { path in
        let machine = MachineTree(cores: 1, availableMemoryBytes: 1 << 20).machine
        let embedder = Self.embedder(path, machine: machine)
        let error = await #expect(throws: HybridError.self) { try await embedder.embed(["cat"]) }
        #expect(error?.code == .insufficientMemory)
        #expect(await embedder.status().state == .notLoaded)
        #expect((await embedder.status().memory?.needed ?? 0) > 1 << 20)
      }
    }

    @Test func `a file that is none, or no embedder, fails by its own name`() async throws {
      let missing = Self.embedder("/no/such.gguf")
      let error = await #expect(throws: HybridError.self) { try await missing.embed(["cat"]) }
      #expect(error?.code == .modelNotFound)
      #expect(await missing.status().state == .missing)
      try await Self.with(.tinyModel()) { embedder in
        let error = await #expect(throws: HybridError.self) { try await embedder.embed(["a"]) }
        #expect(error?.code == .modelUnsupported)
        #expect(await embedder.status().failure?.code == .modelUnsupported)
      }
    }

    @Test func `a chat model embeds with an explicit pooling`() async throws {
      var writer = GGUFWriter.tinyModel()
      writer.set("llama.context_length", .uint32(64))
      try await Self.with(writer, .init(pooling: .mean, threads: 1)) { embedder in
        let embeddings = try await embedder.embed(["a b", "b"])
        #expect(embeddings.dimension == 64)
        #expect(embeddings.pooling == .mean)
        let alone = try await embedder.embed(["b"])
        #expect(alone.vectors[0].cosine(to: embeddings.vectors[1]) > 0.9999)
      }
    }

    static let wrong: [(option: String, options: LocalEmbedder.Options)] = [
      ("pooling", .init(pooling: Pooling(rawValue: "none"))),
      ("contextLength", .init(contextLength: 0)), ("contextLength", .init(contextLength: 65)),
      ("threads", .init(threads: 0)), ("threads", .init(threads: 513)),
      ("mostTexts", .init(mostTexts: 0)), ("queueCapacity", .init(queueCapacity: -1)),
      ("unloadsAfter", .init(unloadsAfter: .zero)),
    ]

    @Test(arguments: wrong.indices)
    func `an impossible option is refused by name, whatever would use it`(index: Int) async throws {
      let (option, options) = Self.wrong[index]
      try await Self.with(.tinyBERT(), options) { embedder in
        let errors = [
          await #expect(throws: HybridError.self) { try await embedder.embed(["cat"]) },
          await #expect(throws: HybridError.self) { try await embedder.load() },
        ]
        for error in errors {
          #expect(error?.code == .invalidConfiguration)
          #expect(error?.details["option"]?.string == option)
        }
        #expect(await embedder.status().failure?.code == .invalidConfiguration)
      }
    }

    @Test func `more texts than a request may have are refused before anything is read`()
      async throws
    {
      let embedder = Self.embedder("/no/such.gguf", .init(mostTexts: 2))
      for texts in [[], ["a", "b", "c"], ["a", ""]] {
        let error = await #expect(throws: HybridError.self) { try await embedder.embed(texts) }
        #expect(error?.code == .invalidRequest)
      }
    }
  }
#endif

#if LocalLlama
  import HybridCore

  extension LocalEmbedder {
    var modelInfo: LocalModelInfo {
      LocalModelInfo(name: ModelName.stem(ofPath: modelPath), path: modelPath)
    }

    /// The file's facts, read now where they are not known or the file has changed.
    func facts() async throws(HybridError) -> EmbedderFacts {
      switch lifecycle.phase {
      case .ready(_, let facts, _), .loading(_, let facts): return facts
      case .unloaded, .failed, .closed: break
      }
      return try await background.run {
        [lifecycle, modelPath, files, time, options] () throws(HybridError) in
        let now = time.now()
        let file = try lifecycle.open(modelPath, in: files)
        if let known = lifecycle.facts(of: file.identity, at: now) { return try known.get() }
        let result = Result { () throws(HybridError) in
          try EmbedderFacts(path: modelPath, file: file, pooling: options.pooling)
        }
        lifecycle.remember(result, of: file.identity, at: now)
        return try result.get()
      }
    }

    /// The tokens of each text, and how many of them follow each text.
    func tokens(
      of texts: [String], by facts: EmbedderFacts
    ) async throws(HybridError) -> (tokens: [[Token]], beginning: Int, ending: Int) {
      // Some 0.1 s of tokenising: who asks for little is not to wait for more.
      let bytes = texts.reduce(0) { $0 + $1.utf8.count }
      let queue = bytes > 1 << 18 ? longTexts : background
      return try await queue.run { [time] isUnwanted throws(HybridError) in
        let tokenizer = try facts.tokenizer(at: time.now())
        let tokens = try tokenizer.tokens(of: texts, isUnwanted: { isUnwanted.isRaised })
        return (tokens, tokenizer.beginning.count, tokenizer.ending.count)
      }
    }

    /// Does something with the engine, loading or loaded.
    ///
    /// - Parameter body: must not block.
    /// - Throws: `insufficientMemory`, `invalidConfiguration`; the last failure's error for a while;
    ///   what `body` throws.
    func withEngine<Value: Sendable>(
      for facts: EmbedderFacts, _ body: (EmbeddingEngine) throws(HybridError) -> Value
    ) async throws(HybridError) -> Value {
      var options: EmbeddingEngine.Options?
      while true {
        switch try lifecycle.use(facts, options: options, body) {
        case .done(let value): return value
        case .plan: options = try await engineOptions(for: facts)
        case .waitFor(let former):
          // What was planned did not know of its memory.
          options = nil
          try await former.ended.wait()
        }
      }
    }

    private func engineOptions(
      for facts: EmbedderFacts
    ) async throws(HybridError) -> EmbeddingEngine.Options {
      let plan = try await plan(for: facts)
      try plan.requireMemory()
      return try await background.run {
        [machine, options, environment] () throws(HybridError) in
        let settings: ThreadSettings
        do throws(ThreadSettingError) {
          settings = try ThreadSettings(decode: options.threads, environment: environment)
        } catch {
          throw error.hybridError
        }
        let threads = StepThreads.Source(machine: machine, settings: settings)
        var context = LlamaContext.Options(length: plan.batch, threads: threads.plan.counts)
        context.batch = plan.batch
        context.microBatch = plan.batch
        context.sequences = EmbedderPlan.mostTexts
        context.pooling = facts.pooling
        return EmbeddingEngine.Options(
          path: facts.path, contextLength: plan.contextLength, context: context,
          sharedTokens: min(plan.batch, EmbedderPlan.sharedTokens),
          queueCapacity: options.queueCapacity, threads: threads)
      }
    }

    /// The tokens that a text may have: in the engine that is there, or in the one to be made.
    func contextLength(for facts: EmbedderFacts) async throws(HybridError) -> Int {
      if let engine = lifecycle.phase.engine { return engine.options.contextLength }
      return try await plan(for: facts).contextLength
    }

    /// What a load would come to, once a former engine has freed its memory.
    func plan(for facts: EmbedderFacts) async throws(HybridError) -> EmbedderPlan {
      while let former = lifecycle.former { try await former.ended.wait() }
      return try await background.run { [machine, options] () throws(HybridError) in
        try EmbedderPlan(
          facts.header, memory: machine.memoryBudget(), explicit: options.contextLength)
      }
    }
  }
#endif

#if LocalLlama
  import HybridCore

  extension LocalExecutor {
    /// The file's facts, read now where they are not known or the file has changed.
    func facts() async throws(HybridError) -> ModelFacts {
      switch lifecycle.phase {
      case .ready(_, let facts, _), .loading(_, let facts): return facts
      case .unloaded, .failed, .closed: break
      }
      return try await background.run {
        [lifecycle, modelPath, files, time, options, machine, environment]
        () throws(HybridError) in
        let now = time.now()
        let file = try lifecycle.open(modelPath, in: files)
        let copy =
          options.usesTunedCopy
          ? TunedCopyChoice.of(file.bytes, machine: machine, environment: environment) : nil
        if let known = lifecycle.facts(of: file.identity, at: now) {
          // A copy may have come or gone meanwhile.
          guard case .success(let facts) = known, facts.copy != copy else { return try known.get() }
        }
        let result = Result { () throws(HybridError) in
          try ModelFacts(path: modelPath, file: file, copy: copy)
        }
        lifecycle.remember(result, of: file.identity, at: now)
        return try result.get()
      }
    }

    /// Does something with the engine, loading or loaded.
    ///
    /// - Parameter body: must not block.
    /// - Throws: `insufficientMemory`, `invalidConfiguration`; the last failure's error for a while;
    ///   what `body` throws.
    func withEngine<Value: Sendable>(
      for facts: ModelFacts, _ body: (Engine) throws(HybridError) -> Value
    ) async throws(HybridError) -> Value {
      var options: Engine.Options?
      var hasTurn = false
      defer { if hasTurn { room?.turns.give() } }
      while true {
        switch try lifecycle.use(facts, options: options, body) {
        case .done(let value): return value
        case .plan:
          if let room, !hasTurn {
            // Somebody else may make the engine meanwhile: asked again before room is made.
            try await room.turns.take()
            hasTurn = true
          } else {
            options = try await engineOptions(for: facts)
          }
        case .waitFor(let former):
          // What was planned did not know of its memory.
          options = nil
          try await former.ended.wait()
        }
      }
    }

    private func engineOptions(for facts: ModelFacts) async throws(HybridError) -> Engine.Options {
      let plan = try await affordablePlan(for: facts)
      let (threads, tuner) = try await threadSource(for: facts.path)
      var context = LlamaContext.Options(length: plan.totalLength, threads: threads.plan.counts)
      context.sequences = plan.sequences
      context.sharesMemory = !options.isDeterministic
      context.outputsPerSequence = plan.sharing.outputsPerSequence
      var engine = Engine.Options(
        path: facts.path, modelName: modelInfo.name,
        contextLength: plan.contextLength, slots: plan.sharing.slots, context: context,
        queueCapacity: options.queueCapacity)
      engine.tunedFormat = facts.copy?.format
      engine.threads = threads
      if options.autoTune == .measured { engine.tuner = tuner }
      engine.remembered = tuner?.remembered
      engine.looksAhead = options.looksAhead
      engine.neededBytes = plan.estimate.totalBytes
      engine.cacheLimit = options.prefixCacheBytes.map { bytes in
        bytes / max(1, plan.estimate.keyValueBytes / max(1, plan.totalLength))
      }
      if options.isDeterministic {
        engine.mode = .oneSequence(chunk: Self.deterministicChunk)
        engine.reuse = .wholeChunks(Self.deterministicChunk)
      }
      return engine
    }

    /// The plan, once other models have made room for it.
    private func affordablePlan(for facts: ModelFacts) async throws(HybridError) -> LoadPlan {
      while true {
        let prospect = try await prospect(for: facts)
        try prospect.plan.requireMemory()
        let leaving = try room?.unloadOne(
          for: lifecycle, name: modelInfo.name, need: prospect.plan.estimate.totalBytes,
          available: prospect.available)
        guard let leaving else { return prospect.plan }
        try await leaving.ended.wait()
      }
    }

    /// Prompt tokens of a step where answers are deterministic: a fixed number, nearly as fast as any.
    private static let deterministicChunk = 128

    /// The tokens that a request may take: in the engine that is there, or in the one to be made.
    func contextLength(for facts: ModelFacts) async throws(HybridError) -> Int {
      if let engine = lifecycle.phase.engine { return engine.options.contextLength }
      return try await prospect(for: facts).plan.contextLength
    }

    /// What a load would come to.
    struct Prospect: Sendable {
      /// The context that it would make, once former engines have freed their memory, and where other
      /// models share it, if they had all gone.
      var plan: LoadPlan
      /// Bytes that the machine tells, with those other models in it.
      var available: Int?
      /// Models in use that leave no room for it.
      var inTheWay: [String]
    }

    func prospect(for facts: ModelFacts) async throws(HybridError) -> Prospect {
      try options.validate()
      while let former = room?.former ?? lifecycle.former { try await former.ended.wait() }
      return try await background.run {
        [machine, options, room, lifecycle] () throws(HybridError) in
        let memory = machine.memoryBudget()
        let available = memory.availableBytes.map { Int(clamping: $0) }
        let slots =
          options.parallelRequests
          ?? (options.isDeterministic
            ? 1 : LoadPlan.Sharing.defaultSlots(cores: machine.threadPlan().decode.count))
        var sharing = LoadPlan.Sharing(
          slots: slots, totalLength: options.totalContextLength, isSplit: options.isDeterministic)
        if options.looksAhead { sharing.outputsPerSequence = 1 + LookupPolicy.longest }
        let plan = try LoadPlan(
          facts.header, memory: memory,
          availableBytes: room?.bytesIfAlone(available, for: lifecycle),
          explicit: options.contextLength,
          allowsBeyondTrained: options.allowsBeyondTrained,
          sharing: sharing)
        return Prospect(
          plan: plan, available: available,
          inTheWay: room?.inTheWay(
            of: lifecycle, need: plan.estimate.totalBytes, available: available) ?? [])
      }
    }

    /// What the thread counts follow, and where tuned ones are asked for, what knows of them.
    ///
    /// - Parameter path: of the file that is loaded.
    func threadSource(
      for path: String
    ) async throws(HybridError) -> (StepThreads.Source, AutoTuner?) {
      try await background.run { [machine, options, environment] () throws(HybridError) in
        let settings: ThreadSettings
        do throws(ThreadSettingError) {
          settings = try ThreadSettings(
            decode: options.threads, prefill: options.prefillThreads, environment: environment)
        } catch {
          throw error.hybridError
        }
        let tuner =
          options.autoTune == .off
          ? nil
          : AutoTuner(
            modelPath: path, machine: machine, settings: settings,
            store: TuneStore(environment: environment))
        let source = StepThreads.Source(
          machine: machine, settings: settings, tuned: tuner?.known,
          isAdaptive: !options.isDeterministic)
        return (source, tuner)
      }
    }
  }
#endif

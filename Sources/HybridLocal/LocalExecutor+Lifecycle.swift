#if LocalLlama
  import HybridCore
  private import Synchronization

  /// Whether there is an engine: none, one that loads, one that serves, or why there is none.
  final class Lifecycle: Sendable {
    enum Phase {
      case unloaded
      case loading(Engine, ModelFacts)
      case ready(Engine, ModelFacts, Engine.Loaded)
      /// `until` is nil where only another file helps.
      case failed(HybridError, until: Moment?, file: FileIdentity)
      case closed
    }

    private struct State {
      var phase = Phase.unloaded
      var facts: Result<ModelFacts, HybridError>?
      var factsIdentity: FileIdentity?
      var backoff = LoadBackoff()
    }

    private let state = Mutex(State())

    static let closed = HybridError(
      .engineLost, "the local executor was closed", nextStep: "Make a new one", side: .local)
    static let unloaded = HybridError(
      .engineLost, "the model was unloaded", nextStep: "Ask again: it will be loaded", side: .local)

    var phase: Phase { state.withLock { $0.phase } }

    var engine: Engine? {
      switch phase {
      case .loading(let engine, _), .ready(let engine, _, _): engine
      case .unloaded, .failed, .closed: nil
      }
    }

    /// What is known of the file with this identity.
    func facts(of identity: FileIdentity) -> Result<ModelFacts, HybridError>? {
      state.withLock { $0.factsIdentity == identity ? $0.facts : nil }
    }

    func remember(_ facts: Result<ModelFacts, HybridError>, of identity: FileIdentity) {
      state.withLock {
        $0.facts = facts
        $0.factsIdentity = identity
      }
    }

    /// The engine that is there, or the one that `make` makes: of several callers one makes it.
    ///
    /// - Parameter make: returns at once; given what to call when the load has ended.
    /// - Throws: why there is none: closed, or failed a moment ago.
    func engine(
      of facts: ModelFacts, now: Moment, time: any TimeSource,
      make: (@escaping @Sendable (Engine, Result<Engine.Loaded, HybridError>) -> Void)
        throws(HybridError) -> Engine
    ) throws(HybridError) -> Engine {
      try state.withLock { state throws(HybridError) in
        switch state.phase {
        case .closed: throw Self.closed
        case .loading(let engine, _), .ready(let engine, _, _): return engine
        case .failed(let error, let until, let file)
        where file == facts.identity && until.map { now < $0 } ?? true:
          throw error
        case .failed, .unloaded: break
        }
        let engine = try make { [weak self] engine, result in
          self?.loadEnded(engine, facts, result, at: time.now())
        }
        state.phase = .loading(engine, facts)
        return engine
      }
    }

    private func loadEnded(
      _ engine: Engine, _ facts: ModelFacts, _ result: Result<Engine.Loaded, HybridError>,
      at now: Moment
    ) {
      state.withLock { state in
        guard case .loading(let current, _) = state.phase, current === engine else { return }
        switch result {
        case .success(let loaded):
          state.backoff.succeeded()
          state.phase = .ready(engine, facts, loaded)
        case .failure(let error):
          let until = state.backoff.failed(error.code, at: now)
          state.phase = .failed(error, until: until, file: facts.identity)
        }
      }
    }

    /// The engine was unloaded.
    func forget(_ engine: Engine) {
      state.withLock { state in
        switch state.phase {
        case .loading(let current, _) where current === engine: state.phase = .unloaded
        case .ready(let current, _, _) where current === engine: state.phase = .unloaded
        default: break
        }
      }
    }

    /// - Returns: the engine that was there, which now ends.
    @discardableResult
    func close() -> Engine? {
      let engine = state.withLock { state -> Engine? in
        defer { state.phase = .closed }
        switch state.phase {
        case .loading(let engine, _), .ready(let engine, _, _): return engine
        case .unloaded, .failed, .closed: return nil
        }
      }
      engine?.shutDown(Self.closed)
      return engine
    }
  }

  extension LocalExecutor {
    /// The file's facts, read now where they are not known or the file has changed.
    func facts() async throws(HybridError) -> ModelFacts {
      if case .ready(_, let facts, _) = lifecycle.phase { return facts }
      if case .loading(_, let facts) = lifecycle.phase { return facts }
      return try await background.run { [lifecycle, modelPath] () throws(HybridError) in
        guard let identity = FileIdentity(path: modelPath) else { throw Self.missing(modelPath) }
        if let known = lifecycle.facts(of: identity) { return try known.get() }
        let result = Result { () throws(HybridError) in
          try ModelFacts(path: modelPath, identity: identity)
        }
        lifecycle.remember(result, of: identity)
        return try result.get()
      }
    }

    private static func missing(_ path: String) -> HybridError {
      HybridError(
        .modelNotFound, "there is no model file at \(path)",
        nextStep: "Check the path, or run `Fixtures/bootstrap` to get the default model",
        details: ["path": .string(path)], side: .local)
    }

    /// The engine, loading or loaded.
    ///
    /// - Throws: `insufficientMemory`, `invalidConfiguration`; the last load's error for a while.
    func engine(for facts: ModelFacts) async throws(HybridError) -> Engine {
      if let engine = lifecycle.engine { return engine }
      let plan = try await plan(for: facts)
      try plan.requireMemory()
      let threads = try threadCounts()
      let options = Engine.Options(
        path: facts.path, modelName: ModelName.stem(ofPath: facts.path),
        context: .init(length: plan.contextLength, threads: threads),
        queueCapacity: options.queueCapacity)
      return try lifecycle.engine(of: facts, now: time.now(), time: time) {
        [time] ended throws(HybridError) in
        try Engine(options: options, time: time, onLoad: ended)
      }
    }

    /// The tokens that a request may take: in the engine that is there, or in the one to be made.
    func contextLength(for facts: ModelFacts) async throws(HybridError) -> Int {
      if let engine = lifecycle.engine { return engine.options.context.length }
      return try await plan(for: facts).contextLength
    }

    /// The context that a load would make now.
    func plan(for facts: ModelFacts) async throws(HybridError) -> LoadPlan {
      try await background.run { [machine, options] () throws(HybridError) in
        try LoadPlan(
          facts.header, memory: machine.memoryBudget(), explicit: options.contextLength)
      }
    }

    private func threadCounts() throws(HybridError) -> ThreadCounts {
      do throws(ThreadSettingError) {
        let settings = try ThreadSettings(
          decode: options.threads, prefill: options.prefillThreads, environment: environment)
        let plan = machine.threadPlan(settings)
        return ThreadCounts(decode: plan.decode.count, prefill: plan.prefill.count)
      } catch {
        throw error.hybridError
      }
    }
  }
#endif

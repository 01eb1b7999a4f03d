#if LocalLlama
  import HybridCore
  private import Synchronization

  /// Whether there is an engine: none, one that loads, one that serves, or why there is none.
  ///
  /// An engine that was let go still frees its memory for a while. Until it has, no other is made:
  /// the model would be in memory twice.
  final class Lifecycle<Engine: ModelEngine>: Sendable {
    typealias Facts = Engine.Facts

    enum Phase {
      case unloaded
      case loading(Engine, Facts)
      case ready(Engine, Facts, Engine.Loaded)
      /// `until` is nil where only another file helps.
      case failed(HybridError, until: Moment?, file: ModelFileIdentity)
      case closed

      var engine: Engine? {
        switch self {
        case .loading(let engine, _), .ready(let engine, _, _): engine
        case .unloaded, .failed, .closed: nil
        }
      }
    }

    /// What came of asking for the engine.
    enum Use<Value: Sendable>: Sendable {
      case done(Value)
      /// Ask again once this one has ended.
      case waitFor(Engine)
      /// Ask again with the options of an engine to be made.
      case plan
    }

    enum Unload {
      case nothing
      case refused(busy: Int)
      case waitFor(Engine)
    }

    private struct State {
      var phase = Phase.unloaded
      /// Let go, and not ended yet. Never beside one in the phase.
      var former: Engine?
      var facts = Finding<Facts>()
      /// The file that the facts are of; nil where it could not even be opened.
      var factsFile: ModelFileIdentity?
      var backoff = LoadBackoff()
      var idle: IdleWatch
      /// Waits for `idle`.
      var watcher: Task<Void, Never>?

      mutating func letGo(_ next: Phase) {
        idle.stop()
        watcher?.cancel()
        watcher = nil
        former = phase.engine ?? former
        phase = next
      }
    }

    private let state: Mutex<State>
    private let time: any TimeSource

    /// - Parameter unloadsAfter: how long an engine stays that nobody uses; nil: for good.
    init(time: any TimeSource, unloadsAfter: Duration?) {
      self.time = time
      state = Mutex(State(idle: IdleWatch(limit: unloadsAfter)))
    }

    static var closed: HybridError {
      HybridError(
        .engineLost, "the \(Engine.owner) was closed", nextStep: "Make a new one", side: .local)
    }
    static var unloaded: HybridError {
      HybridError(
        .engineLost, "the model was unloaded", nextStep: "Ask again: it will be loaded",
        side: .local)
    }

    var phase: Phase { state.withLock { $0.phase } }

    /// The engine that was let go and still frees its memory.
    var former: Engine? { state.withLock { $0.former } }

    // MARK: The file

    /// Opens the model file. Blocks.
    ///
    /// - Throws: what its kind of error says, `modelNotFound` where it is not there. One that passes is
    ///   remembered for a while.
    func open(_ path: String, in files: ModelFiles) throws(HybridError) -> OpenModelFile {
      do throws(ModelFileError) {
        return try files.open(path)
      } catch {
        let now = time.now()
        let error = Self.explained(error, path)
        if LoadBackoff.passes(error.code), facts(of: nil, at: now) == nil {
          remember(.failure(error), of: nil, at: now)
        }
        throw error
      }
    }

    private static func explained(_ error: ModelFileError, _ path: String) -> HybridError {
      guard error.kind == .missing else { return error.at(path: path).hybridError }
      return HybridError(
        .modelNotFound, "there is no model file at \(path)",
        nextStep: "Check the path, or run `Fixtures/bootstrap` to get the default model",
        details: ["path": .string(path)], side: .local)
    }

    /// What is known of this file; of a file that could not be opened for nil.
    func facts(
      of file: ModelFileIdentity?, at now: Moment
    ) -> Result<Facts, HybridError>? {
      state.withLock { $0.factsFile == file ? $0.facts.known(at: now) : nil }
    }

    func remember(
      _ facts: Result<Facts, HybridError>, of file: ModelFileIdentity?, at now: Moment
    ) {
      state.withLock {
        if $0.factsFile != file { $0.facts = Finding() }
        $0.facts.record(facts, at: now)
        $0.factsFile = file
      }
    }

    /// When what kept the file, or its vocabulary, from being read is tried again; nil where only another
    /// file helps.
    func retry(after error: HybridError) -> Moment? {
      guard LoadBackoff.passes(error.code) else { return nil }
      let facts = state.withLock { $0.facts }
      return facts.retry ?? facts.value?.retry ?? time.now()
    }

    // MARK: The engine

    /// Why this file cannot be loaded now; nil where it may be tried.
    func failure(of file: ModelFileIdentity) -> ModelFailure? {
      guard case .failed(let error, let until, file) = phase,
        until.map({ time.now() < $0 }) ?? true
      else { return nil }
      return ModelFailure(error, until: until)
    }

    /// Does something with the engine that is there, or with a new one: of several callers one makes
    /// it. It cannot be unloaded meanwhile.
    ///
    /// - Parameters:
    ///   - options: of an engine to be made.
    ///   - body: must not block.
    /// - Throws: why there is no engine: closed, or failed a moment ago; what `body` throws.
    func use<Value: Sendable>(
      _ facts: Facts, options: Engine.Options?, _ body: (Engine) throws(HybridError) -> Value
    ) throws(HybridError) -> Use<Value> {
      let now = time.now()
      return try state.withLock { state throws(HybridError) in
        switch state.phase {
        case .closed: throw Self.closed
        case .loading(let engine, _), .ready(let engine, _, _): return .done(try body(engine))
        case .failed(let error, let until, let file)
        where file == facts.identity && until.map { now < $0 } ?? true:
          throw error
        case .failed, .unloaded: break
        }
        if let former = state.former { return .waitFor(former) }
        guard let options else { return .plan }
        let engine = try Engine(options: options, time: time) { [weak self] engine, report in
          self?.heard(report, of: engine, facts)
        }
        state.phase = .loading(engine, facts)
        return .done(try body(engine))
      }
    }

    private func heard(
      _ report: EngineReport<Engine.Loaded>, of engine: Engine, _ facts: Facts
    ) {
      let now = time.now()
      state.withLock { state in
        if case .ended = report {
          // One that ends by itself tells why first, and was let go then. Should one not have, there
          // is nothing left of it all the same: no phase holds an engine that has ended.
          if state.phase.engine === engine { state.letGo(.unloaded) }
          if state.former === engine { state.former = nil }
        }
        guard state.phase.engine === engine else { return }
        switch report {
        // It had to wait for ``use(_:options:_:)``: whoever listens to the load hears all of it.
        case .begun: break
        case .loaded(let loaded):
          state.phase = .ready(engine, facts, loaded)
          watch(&state, engine)
        case .idle: watch(&state, engine)
        // A load alone is no success: a broken model may load each time.
        case .answered: state.backoff.succeeded()
        case .notLoaded(let error), .broken(let error):
          let until = state.backoff.failed(error.code, at: now)
          state.letGo(.failed(error, until: until, file: facts.identity))
        case .ended: break
        }
      }
    }

    // MARK: Its end

    /// Sees to it that somebody waits to unload the model, where nobody uses it now.
    private func watch(_ state: inout State, _ engine: Engine) {
      guard let since = engine.idleSince,
        let (watch, first) = state.idle.begin(idleSince: since)
      else { return }
      // Holds neither this nor the engine while it sleeps.
      state.watcher = Task { [weak self, time] in
        var moment: Moment? = first
        while let until = moment {
          do throws(CancellationError) {
            try await time.sleep(until: until)
          } catch {
            return
          }
          moment = self?.woke(watch)
        }
      }
    }

    /// - Returns: until when to wait further; nil where there is nothing more to wait for.
    private func woke(_ watch: Int) -> Moment? {
      let now = time.now()
      return state.withLock { state in
        guard let engine = state.phase.engine else { return nil }
        switch state.idle.woke(watch, idleSince: engine.idleSince, at: now) {
        case .wait(let until): return until
        case .end: return nil
        case .giveUp:
          // Requests come in under this lock only, so none has since: whoever asks next gets a new
          // engine.
          if engine.shutDownIfIdle(Self.unloaded) == 0 { state.letGo(.unloaded) }
          return nil
        }
      }
    }

    /// Lets go of the engine, unless requests are in it.
    func unload() -> Unload {
      state.withLock { state in
        if let engine = state.phase.engine {
          let busy = engine.shutDownIfIdle(Self.unloaded)
          if busy > 0 { return .refused(busy: busy) }
          state.letGo(.unloaded)
        }
        return state.former.map { .waitFor($0) } ?? .nothing
      }
    }

    /// Lets go of the engine, and returns once its memory is free.
    ///
    /// - Throws: `localBusy` while requests are in it.
    func unloadAndWait() async throws(HybridError) {
      switch unload() {
      case .nothing: return
      case .waitFor(let engine): try await engine.ended.wait()
      case .refused(let busy):
        throw HybridError(
          .localBusy, "the model cannot be unloaded while \(busy) requests use it",
          nextStep: "Wait for them, or cancel them first", details: ["queueDepth": .int(busy)],
          side: .local)
      }
    }

    /// - Returns: the engine that was there, which now ends.
    @discardableResult
    func close() -> Engine? {
      let engine = state.withLock { state in
        state.letGo(.closed)
        return state.former
      }
      engine?.shutDown(Self.closed)
      return engine
    }
  }
#endif

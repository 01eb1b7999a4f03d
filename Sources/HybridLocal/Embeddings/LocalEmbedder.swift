#if LocalLlama
  public import HybridCore

  /// Turns texts into vectors with an embedding model on this machine, in process, through llama.cpp.
  ///
  /// Making one costs nothing: the file is looked at, the vocabulary read and the model loaded when they
  /// are first needed. Calls at once share one thread and, where they fit, one batch; they are served in
  /// order of arrival. Releasing the last reference frees all memory.
  ///
  ///     let embedder = LocalEmbedder(modelPath: "bge-small-en-v1.5.gguf")
  ///     let found = try await embedder.embed(["How do I reset it?", "Hold the button for 5 s."])
  ///     print(found.similarity(0, 1))
  ///
  /// Some models are trained with words in front that say what a text is for, such as `query: ` and
  /// `passage: `; their makers say which. They are the caller's to write: nothing is added here but the
  /// tokens that the vocabulary puts around every text.
  public final class LocalEmbedder: Sendable {
    public let modelPath: String
    public let options: Options
    let time: any TimeSource
    let machine: Machine
    let environment: [String: String]
    let files: ModelFiles
    let background = BackgroundQueue()
    /// For texts that take long to count, lest short ones wait for them.
    let longTexts = BackgroundQueue()
    let lifecycle: Lifecycle<EmbeddingEngine>

    /// - Parameter modelPath: of a GGUF file. It need not exist yet.
    public convenience init(
      modelPath: String, options: Options = Options(), time: any TimeSource = SystemTimeSource()
    ) {
      self.init(
        modelPath: modelPath, options: options, time: time, machine: .current,
        environment: ProcessEnvironment.variables)
    }

    /// An embedder for a model by its path, or by a name that is looked up as ``LocalExecutor`` does.
    ///
    /// - Throws: `modelNotFound` with the places looked at.
    public convenience init(
      model: String, options: Options = Options(), time: any TimeSource = SystemTimeSource()
    ) throws(HybridError) {
      let environment = ProcessEnvironment.variables
      let locator = ModelLocator(environment: environment, home: environment["HOME"])
      self.init(modelPath: try locator.find(model).path, options: options, time: time)
    }

    /// - Parameters:
    ///   - machine: where CPUs, memory and limits are read.
    ///   - environment: where `HYBRID_THREADS` and `LLAMA_ARG_THREADS` are looked up.
    ///   - files: where the model's header is read.
    package init(
      modelPath: String, options: Options, time: any TimeSource, machine: Machine,
      environment: [String: String], files: ModelFiles = .real
    ) {
      self.modelPath = modelPath
      self.options = options
      self.time = time
      self.machine = machine
      self.environment = environment
      self.files = files
      lifecycle = Lifecycle(time: time, unloadsAfter: options.unloadsAfter)
    }

    deinit {
      lifecycle.close()
    }

    /// The vectors of these texts; loads the model first where it is not loaded yet.
    ///
    /// Texts are computed whole, several in a batch, which changes the last digits of a vector and no
    /// more. Cancelling the task gives up what is not computed; a batch that nobody else has a part in
    /// stops within milliseconds, and counting tokens before the next text.
    ///
    /// - Parameters:
    ///   - texts: 1 to ``Options/mostTexts``, none of them empty.
    ///   - deadline: the time that all of it may take, the load included. nil: any.
    /// - Throws: `invalidRequest`; `contextTooLong` with the text's `index` and its tokens, unless
    ///   ``Options/truncates``; `modelNotFound`, `modelFileInvalid`, `modelUnsupported` (rerankers, and
    ///   chat models without a pooling), `modelLoadFailed`, `insufficientMemory`,
    ///   `invalidConfiguration`, `localBusy`, `decodeFailed`, `engineLost`, `deadlineExceeded`,
    ///   `cancelled`. No error has a text in it.
    public func embed(
      _ texts: [String], deadline: Duration? = nil
    ) async throws(HybridError) -> Embeddings {
      let received = time.now()
      try options.validate()
      try EmbeddingTexts.validate(texts, most: options.mostTexts)
      guard let deadline else { return try await embed(texts, received: received) }
      guard deadline > .zero else {
        throw HybridError(
          .invalidRequest, "the deadline is not after now", nextStep: "Give more than 0 seconds",
          details: ["field": "deadline"], side: .local)
      }
      let timeout = HybridError(
        .deadlineExceeded,
        "the deadline passed before "
          + (texts.count == 1 ? "the text was embedded" : "all \(texts.count) texts were embedded"),
        nextStep: texts.count == 1
          ? "Allow more time" : "Allow more time, or ask for fewer texts at once",
        details: ["texts": .int(texts.count), "deadline": .seconds(deadline)], side: .local)
      return try await withTimeBound(received + deadline, time: time, timeout: timeout) {
        () async throws(HybridError) in
        try await self.embed(texts, received: received)
      }
    }

    private func embed(
      _ texts: [String], received: Moment
    ) async throws(HybridError) -> Embeddings {
      let facts = try await facts()
      let (tokens, beginning, ending) = try await tokens(of: texts, by: facts)
      func fitted(to length: Int) throws(HybridError) -> EmbeddingTexts {
        try EmbeddingTexts(
          tokens, contextLength: length, beginning: beginning, ending: ending,
          truncates: options.truncates)
      }
      // Before the load, which may cost seconds.
      _ = try fitted(to: try await contextLength(for: facts))
      let (engine, job, fit) = try await withEngine(for: facts) { engine throws(HybridError) in
        let fit = try fitted(to: engine.options.contextLength)
        return (engine, try engine.submit(fit.tokens, received: received), fit)
      }
      let output: EmbeddingJob.Output
      do throws(HybridError) {
        output = try await job.result.wait()
      } catch {
        // Does nothing where the request has ended already.
        engine.cancel(job.id)
        throw error
      }
      return Embeddings(
        vectors: options.normalises ? output.vectors.map { $0.normalised() } : output.vectors,
        tokenCounts: fit.tokens.map(\.count), truncations: fit.truncations,
        model: modelInfo.name, dimension: output.vectors.first?.count ?? 0,
        pooling: facts.pooling, isNormalised: options.normalises, timings: output.timings)
    }

    /// Tokens of each text as it would be embedded, those that the model puts around it included. Reads
    /// the vocabulary the first time, never the weights.
    ///
    /// - Throws: as ``embed(_:deadline:)`` for a file that cannot be read.
    public func countTokens(_ texts: [String]) async throws(HybridError) -> [Int] {
      try options.validate()
      return try await tokens(of: texts, by: facts()).tokens.map(\.count)
    }

    /// Loads the model now, so that the first request need not wait. A load that is under way is joined.
    ///
    /// - Parameter progress: told how far the load has come, at most once a percent, on the thread that
    ///   loads, which it holds up: growing fractions of 1, and 1 once the model is loaded. Where it was
    ///   loaded before, only 1, on the calling thread.
    /// - Throws: as ``embed(_:deadline:)`` for a model that cannot be loaded. When the task is cancelled,
    ///   the load goes on, and `progress` is told nothing more.
    public func load(
      progress: (@Sendable (_ fraction: Double) -> Void)? = nil
    ) async throws(HybridError) {
      try options.validate()
      let (engine, key) = try await withEngine(for: facts()) { engine in
        (engine, progress.flatMap(engine.loading.listen))
      }
      defer { if let key { engine.loading.forget(key) } }
      _ = try await engine.loaded.wait()
      if key == nil { progress?(1) }
    }

    /// Frees the model's memory. The next request loads it again. A load is stopped: who waits for it
    /// gets `engineLost`.
    ///
    /// - Throws: `localBusy` while a request runs or waits; nothing is freed then.
    public func unload() async throws(HybridError) {
      try await lifecycle.unloadAndWait()
    }

    /// Ends the embedder: what runs or waits fails with `engineLost`, and everything is freed before
    /// this returns. Later requests fail with `engineLost`.
    public func close() async {
      // Only a cancelled task stops waiting early; the memory is freed all the same.
      try? await lifecycle.close()?.ended.wait()
    }
  }
#endif

#if LocalLlama
  public import HybridCore

  /// Several local models behind one side: each request is answered by the model that it names.
  ///
  /// A model is loaded by the first request for it. Where it would not fit the memory beside the
  /// others, or more than `most` would be loaded, those that nobody uses are unloaded first, the one
  /// whose last request ended longest ago before the others. Each is planned as if it were alone, so
  /// the context that it gets does not depend on its neighbours. A model with requests is never
  /// unloaded: while those in use leave no room, a request for another one gets `localBusy` at once,
  /// which names them, and a plan says so beforehand.
  public final class LocalModels: LocalSide {
    /// One model of the set.
    public struct Model: Sendable, Hashable, ExpressibleByStringLiteral {
      /// The path of a GGUF file, or a name, as for ``LocalExecutor/init(model:options:time:)``.
      public var model: String
      public var options: LocalExecutor.Options

      public init(_ model: String, options: LocalExecutor.Options = LocalExecutor.Options()) {
        self.model = model
        self.options = options
      }

      public init(stringLiteral model: String) {
        self.init(model)
      }
    }

    /// The models by the names that answers give them, in the order of the list.
    public let models: [LocalModelInfo]
    private let executors: [LocalExecutor]

    /// - Parameters:
    ///   - models: at least one. The first answers requests that name none, and stands in for models
    ///     that a policy lets it stand in for.
    ///   - most: models that may be loaded at once; nil: as many as fit the memory.
    /// - Throws: `modelNotFound` with the places looked at; `invalidConfiguration` for no model at all,
    ///   one that is named twice, options that are not possible, and a `most` below 1.
    public convenience init(
      _ models: [Model], most: Int? = nil, time: any TimeSource = SystemTimeSource()
    ) throws(HybridError) {
      try self.init(
        models, most: most, time: time, machine: .current,
        environment: ProcessEnvironment.variables)
    }

    package init(
      _ models: [Model], most: Int?, time: any TimeSource, machine: Machine,
      environment: [String: String]
    ) throws(HybridError) {
      if let most, most < 1 {
        throw Self.invalid("\(most) models at once are not possible", "Give at least 1")
      }
      guard !models.isEmpty else { throw Self.invalid("there is no model", "Name at least one") }
      let room = ModelRoom(most: most)
      let locator = ModelLocator(environment: environment, home: environment["HOME"])
      var executors: [LocalExecutor] = []
      for model in models {
        try model.options.validate()
        let path = try locator.find(model.model).path
        if executors.contains(where: { $0.modelPath == path }) {
          throw Self.invalid("the model \(path) is named twice", "Name each model once")
        }
        executors.append(
          LocalExecutor(
            modelPath: path, options: model.options, time: time, machine: machine,
            environment: environment, room: room))
      }
      self.executors = executors
      self.models = executors.map(\.modelInfo)
    }

    private static func invalid(_ message: String, _ nextStep: String) -> HybridError {
      HybridError(.invalidConfiguration, message, nextStep: nextStep, side: .local)
    }

    // MARK: A local side

    /// The state of the model that a request for `model` would get: the first one's where there is
    /// no such model.
    public func status(model: String?) async -> LocalStatus {
      await known(model).status()
    }

    /// Counts with the tokenizer and the template of the model that the request names, or the first.
    public func measure(_ request: ChatRequest) async -> PromptMeasurement {
      await known(request.model).measure(request)
    }

    /// Answers with the model that the request names.
    ///
    /// - Throws: `modelNotFound` for a model that is not in the set, unless the context lets the first
    ///   one stand in; `localBusy` also while other models in use leave no room for this one; and as
    ///   ``LocalExecutor/start(_:in:)``.
    public func start(
      _ request: ChatRequest, in context: ExecutionContext
    ) async throws(HybridError) -> ExecutorStream {
      if context.standsIn { return try await known(request.model).start(request, in: context) }
      let executor: LocalExecutor
      do throws(HybridError) {
        executor = try self.executor(of: request.model)
      } catch {
        if let refusal = context.permit?(1) { throw refusal }
        context.onAttempt(Attempt(side: .local, failure: error.code, duration: .zero))
        throw error
      }
      return try await executor.start(request, in: context)
    }

    // MARK: Life cycle

    /// Names of the models that are loaded, or being loaded.
    public var loaded: [String] {
      executors.filter { $0.lifecycle.phase.engine != nil }.map(\.modelInfo.name)
    }

    /// Loads a model now, as ``LocalExecutor/load(progress:)``.
    ///
    /// - Throws: `modelNotFound`; `localBusy` while models in use leave no room.
    public func load(
      _ model: String, progress: (@Sendable (_ fraction: Double) -> Void)? = nil
    ) async throws(HybridError) {
      try await executor(of: model).load(progress: progress)
    }

    /// Computes how later conversations begin, as ``LocalExecutor/prewarm(_:deadline:)``.
    ///
    /// - Parameter model: nil: the first.
    @discardableResult
    public func prewarm(
      _ messages: [ChatMessage], model: String? = nil, deadline: Duration? = nil
    ) async throws(HybridError) -> Int {
      try await executor(of: model).prewarm(messages, deadline: deadline)
    }

    /// Frees a model's memory; the next request for it loads it again.
    ///
    /// - Throws: `modelNotFound`; `localBusy` while a request for it runs or waits.
    public func unload(_ model: String) async throws(HybridError) {
      try await executor(of: model).unload()
    }

    /// Ends all models: what runs or waits fails with `engineLost`, and everything is freed before this
    /// returns. Later requests fail with `engineLost`.
    public func close() async {
      let ending = executors.compactMap { $0.lifecycle.close() }
      // Only a cancelled task stops waiting early; the memory is freed all the same.
      for engine in ending { try? await engine.ended.wait() }
    }

    // MARK: Names

    private func known(_ model: String?) -> LocalExecutor {
      executors[model.flatMap { models.place(of: $0) } ?? 0]
    }

    private func executor(of model: String?) throws(HybridError) -> LocalExecutor {
      guard let model else { return executors[0] }
      if let place = models.place(of: model) { return executors[place] }
      let names = models.map(\.name)
      let near = NearNames.of(model, among: names)
      throw HybridError(
        .modelNotFound, "no local model is named '\(ModelFileError.printable(model))'",
        nextStep: near.isEmpty
          ? "Ask for one of these: \(names.joined(separator: ", "))"
          : "Did you mean \(near.joined(separator: " or "))? There are "
            + names.joined(separator: ", "),
        details: [
          "model": .string(ModelFileError.printable(model)),
          "known": .array(names.map { .string($0) }),
        ], side: .local)
    }
  }
#endif

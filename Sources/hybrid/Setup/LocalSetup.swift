internal import HybridCore
internal import HybridLocal

/// The local side. The only file that asks whether this build has one.
struct LocalSetup: Sendable {
  let choice: ModelChoice

  /// - Returns: nil where there is no local model.
  /// - Throws: `usage`, `modelNotFound`, and `invalidConfiguration` for a thread count in the
  ///   environment that is none.
  static func of(
    _ arguments: ParsedArguments, _ environment: Environment, machine: Machine = .current
  ) throws(HybridError) -> LocalSetup? {
    let options = try LocalOptions(arguments)
    _ = try threadSettings(arguments, environment)
    guard let choice = try ModelChoice.of(arguments, environment) else { return nil }
    return LocalSetup(
      choice: choice, options: options, environment: environment, machine: machine)
  }

  /// The threads that this machine and the settings give.
  static func threadPlan(
    _ arguments: ParsedArguments, _ environment: Environment, machine: Machine
  ) throws(HybridError) -> ThreadPlan {
    machine.threadPlan(try threadSettings(arguments, environment))
  }

  private static func threadSettings(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(HybridError) -> ThreadSettings {
    let explicit = try arguments.integer(.threads, in: ThreadSettings.range)
    do throws(ThreadSettingError) {
      return try ThreadSettings(decode: explicit, environment: environment.variables)
    } catch {
      throw error.hybridError
    }
  }

  #if LocalLlama
    static let isBuiltIn = true

    private let executor: LocalExecutor
    /// Answers in the executor's place.
    private let worker: LocalWorker?

    private init(
      choice: ModelChoice, options: LocalOptions, environment: Environment, machine: Machine
    ) {
      self.choice = choice
      let model = LocalExecutor.Options(
        contextLength: options.context, allowsBeyondTrained: options.allowsBeyondTrained,
        parallelRequests: options.parallel, isDeterministic: options.isDeterministic,
        usesPromptLookup: options.usesLookup, threads: options.threads,
        autoTune: options.autoTunes ? .measured : .remembered,
        usesTunedCopy: options.usesTuned,
        // One request a process, with as many choices as it may have.
        queueCapacity: ChatRequest.mostChoices)
      executor = LocalExecutor(
        modelPath: choice.path, options: model, time: SystemTimeSource(), machine: machine,
        environment: environment.variables)
      worker =
        options.isIsolated
        ? LocalWorker(modelPath: choice.path, options: .init(model: model, grace: .seconds(1)))
        : nil
    }

    var side: (any LocalSide)? {
      if let worker { return worker }
      return executor
    }

    /// What tuning the threads came to; nil where no model was loaded.
    var tuning: AutoTuneResult? { executor.tuning }

    /// Whether a tuned copy was loaded; nil where none was asked for, or no model was loaded.
    var tunedCopy: TunedCopyChoice? { executor.tunedCopy }

    /// The formats that this CPU is fast with; nil where llama.cpp cannot be used.
    static var kernels: FastKernels? { try? FastKernels.current() }

    /// Whether a copy of the model was tuned to this CPU, asked for or not.
    static func tunedCopy(
      ofPath path: String, _ environment: Environment, machine: Machine
    ) -> TunedCopyChoice? {
      guard let file = try? ModelFiles.real.open(path) else { return nil }
      return TunedCopyChoice.of(
        file.bytes, machine: machine, environment: environment.variables)
    }

    /// Tunes a model to the CPU.
    static func tune(
      _ path: String, _ options: ModelTuner.Options, _ environment: Environment,
      progress: @escaping @Sendable (ModelTuner.Step) -> Void
    ) async throws(HybridError) -> ModelTuning {
      try await ModelTuner(
        modelPath: path, options: options, time: SystemTimeSource(), machine: .current,
        environment: environment.variables
      ).tune(progress: progress)
    }

    /// The vectors of texts, however many.
    static func embed(
      _ texts: [String], _ path: String, _ options: EmbedOptions, _ environment: Environment
    ) async throws(HybridError) -> Embeddings {
      let embedder = LocalEmbedder(
        modelPath: path,
        options: LocalEmbedder.Options(
          pooling: options.pooling, normalises: options.normalises,
          contextLength: options.context, truncates: options.truncates, threads: options.threads,
          // One request a process.
          mostTexts: max(1, min(texts.count, 1_000_000))),
        time: SystemTimeSource(), machine: .current, environment: environment.variables)
      let result: Result<Embeddings, HybridError>
      do throws(HybridError) {
        result = .success(try await embedder.embed(texts, deadline: options.deadline))
      } catch {
        result = .failure(error)
      }
      await embedder.close()
      return try result.get()
    }

    /// What a load would choose.
    ///
    /// - Returns: nil in a build without an engine.
    func outlook() async throws(HybridError) -> LocalOutlook? { try await executor.outlook() }

    /// Lets go of the model, so that nothing computes while the process ends.
    func close() async {
      await worker?.close()
      await executor.close()
    }

    /// Where this process was started as a worker, it is one, and this never returns.
    static func runIfWorker() { WorkerMain.runIfWorker() }

    /// Tokens of plain text, by the model's own tokenizer. Reads the vocabulary alone.
    static func count(_ text: String, path: String) throws(HybridError) -> Int {
      try LlamaLibrary.start()
      let vocabulary = try header(path).vocabulary
      return try Tokenizer(
        path: path, template: vocabulary.chatTemplate ?? "", unknown: vocabulary.unknown
      ).tokenize(text).count
    }

    /// Tokens of a conversation, rendered by the model's own template.
    static func count(_ messages: [ChatMessage], path: String) throws(HybridError) -> Int {
      try LlamaLibrary.start()
      let date = TemplateDate(unixSeconds: Int(SystemTimeSource().secondsSince1970()))
      return try PromptBuilder(path: path, header: header(path)).prompt(for: messages, at: date)
        .tokens
        .count
    }

    private static func header(_ path: String) throws(HybridError) -> GGUFHeader {
      do throws(ModelFileError) {
        return try GGUFHeader(path: path)
      } catch {
        throw error.hybridError
      }
    }

    static var engineVersion: String? { LlamaLibrary.version }

    /// What keeps llama.cpp itself from being used.
    static var engineProblem: HybridError? {
      do throws(HybridError) {
        try LlamaLibrary.start()
        return nil
      } catch {
        return error
      }
    }
  #else
    static let isBuiltIn = false

    private init(
      choice: ModelChoice, options: LocalOptions, environment: Environment, machine: Machine
    ) {
      self.choice = choice
    }

    var side: (any LocalSide)? { nil }
    var tuning: AutoTuneResult? { nil }
    var tunedCopy: TunedCopyChoice? { nil }
    static var kernels: FastKernels? { nil }

    static func tunedCopy(
      ofPath path: String, _ environment: Environment, machine: Machine
    ) -> TunedCopyChoice? { nil }

    static func tune(
      _ path: String, _ options: ModelTuner.Options, _ environment: Environment,
      progress: @escaping @Sendable (ModelTuner.Step) -> Void
    ) async throws(HybridError) -> ModelTuning { throw absent }

    static func embed(
      _ texts: [String], _ path: String, _ options: EmbedOptions, _ environment: Environment
    ) async throws(HybridError) -> Embeddings { throw absent }

    func outlook() async throws(HybridError) -> LocalOutlook? { nil }

    func close() async {}

    static func runIfWorker() {}

    static func count(_ text: String, path: String) throws(HybridError) -> Int { throw absent }

    static func count(_ messages: [ChatMessage], path: String) throws(HybridError) -> Int {
      throw absent
    }

    static var engineVersion: String? { nil }
    static var engineProblem: HybridError? { absent }

    private static let absent = HybridError(
      .modelNotFound, "this build has no local engine: it was made without the trait LocalLlama",
      nextStep: "run Fixtures/bootstrap, then build without --disable-default-traits")
  #endif
}

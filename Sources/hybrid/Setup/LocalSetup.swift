internal import HybridCore
internal import HybridLocal

/// The local side. The only file that asks whether this build has one.
struct LocalSetup: Sendable {
  let choice: ModelChoice
  let threads: ThreadPlan

  /// - Returns: nil where there is no local model.
  /// - Throws: `usage`, `modelNotFound`, and `invalidConfiguration` for a thread count in the
  ///   environment that is none.
  static func of(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(HybridError) -> LocalSetup? {
    let context = try arguments.integer(.context, in: 1...(1 << 30))
    let parallel = try arguments.integer(.parallel, in: LoadPlan.Sharing.range)
    let plan = try threadPlan(arguments, environment)
    guard let choice = try ModelChoice.of(arguments, environment) else { return nil }
    return LocalSetup(
      choice: choice, threads: plan, context: context, parallel: parallel,
      environment: environment)
  }

  /// The threads that this machine and the settings give.
  static func threadPlan(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(HybridError) -> ThreadPlan {
    let explicit = try arguments.integer(.threads, in: ThreadSettings.range)
    do throws(ThreadSettingError) {
      return Machine.current.threadPlan(
        try ThreadSettings(decode: explicit, environment: environment.variables))
    } catch {
      throw error.hybridError
    }
  }

  #if LocalLlama
    static let isBuiltIn = true

    private let executor: LocalExecutor

    private init(
      choice: ModelChoice, threads: ThreadPlan, context: Int?, parallel: Int?,
      environment: Environment
    ) {
      self.choice = choice
      self.threads = threads
      executor = LocalExecutor(
        modelPath: choice.path,
        options: LocalExecutor.Options(
          contextLength: context, parallelRequests: parallel, threads: threads.decode.count,
          prefillThreads: threads.prefill.count),
        time: SystemTimeSource(), machine: .current, environment: environment.variables)
    }

    var side: (any LocalSide)? { executor }

    /// Lets go of the model, so that nothing computes while the process ends.
    func close() async {
      await executor.close()
    }

    /// Tokens of plain text, by the model's own tokenizer. Reads the vocabulary alone.
    static func count(_ text: String, path: String) throws(HybridError) -> Int {
      try LlamaLibrary.start()
      let template = try header(path).vocabulary.chatTemplate ?? ""
      return try Tokenizer(path: path, template: template).tokenize(text).count
    }

    /// Tokens of a conversation, rendered by the model's own template.
    static func count(_ messages: [ChatMessage], path: String) throws(HybridError) -> Int {
      try LlamaLibrary.start()
      let date = TemplateDate(unixSeconds: Int(SystemTimeSource().secondsSince1970()))
      return try PromptBuilder(path: path, header: header(path)).tokens(for: messages, at: date)
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
      choice: ModelChoice, threads: ThreadPlan, context: Int?, parallel: Int?,
      environment: Environment
    ) {
      self.choice = choice
      self.threads = threads
    }

    var side: (any LocalSide)? { nil }

    func close() async {}

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

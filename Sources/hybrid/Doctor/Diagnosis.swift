internal import HybridCore
internal import HybridLocal
internal import HybridRemote

/// What `hybrid doctor` found. Nothing is loaded and no gateway is asked.
struct Diagnosis: Sendable {
  /// Something that is wrong, and what to do about it.
  struct Problem: Sendable, Hashable {
    let code: ErrorCode
    let message: String
    let remedy: String?

    init(_ code: ErrorCode, _ message: String, remedy: String?) {
      self.code = code
      self.message = message
      self.remedy = remedy
    }

    init(_ error: HybridError) {
      self.init(error.code, error.message, remedy: error.nextStep)
    }

    /// - Parameter message: what to say where the failure has no words of its own.
    init(_ failure: ModelFailure, or message: String) {
      self.init(
        failure.code, failure.message ?? message,
        remedy: failure.nextStep ?? "see hybrid explain \(failure.code.rawValue)")
    }
  }

  struct Model: Sendable {
    let choice: ModelChoice
    /// nil where the file cannot be read as a model.
    let header: GGUFHeader?
    let status: LocalStatus?
    /// The formats that this CPU is fast with; nil where llama.cpp cannot be used.
    var kernels: FastKernels?
    /// Whether a copy was tuned to this CPU; nil where llama.cpp cannot be used.
    var tunedCopy: TunedCopyChoice?
    /// Whether a load takes it, where there is one.
    var usesTunedCopy = false
  }

  struct Gateway: Sendable {
    let status: GatewayStatus
    let model: String?
  }

  let versions: Versions
  var model: Model?
  /// nil where a setting of the caller's is no thread count.
  let threads: ThreadPlan?
  /// What a load would choose; nil without a model file or an engine.
  let outlook: LocalOutlook?
  let machine: MachineReading
  let gateway: Gateway?
  let problems: [Problem]

  /// A side is there that could take a request.
  let canAnswer: Bool
}

extension Diagnosis {
  /// Looks at everything that the options and the environment name.
  ///
  /// - Throws: `usage` for options that are wrong in themselves.
  static func make(
    _ arguments: ParsedArguments, _ environment: Environment, machine: Machine = .current
  ) async throws(HybridError) -> Diagnosis {
    var problems: [Problem] = []
    if !arguments.has(.noLocal), let problem = LocalSetup.engineProblem {
      problems.append(Problem(problem))
    }

    let local = try recording(&problems) { () throws(HybridError) in
      try LocalSetup.of(arguments, environment, machine: machine)
    }
    var model = await local.asyncMap { await examine($0, &problems) }
    if let path = model?.choice.path, model?.header != nil {
      model?.kernels = LocalSetup.kernels
      model?.tunedCopy = LocalSetup.tunedCopy(ofPath: path, environment, machine: machine)
      model?.usesTunedCopy = arguments.has(.tuned)
    }
    if local == nil, problems.isEmpty, !arguments.has(.noLocal) {
      problems.append(noModel(ModelChoice.locator(environment).list()))
    }
    let outlook = await foresee(local, &problems)
    var threads = outlook?.threads
    if threads == nil {
      threads = try recording(&problems) { () throws(HybridError) in
        try LocalSetup.threadPlan(arguments, environment, machine: machine)
      }
    }
    if let threads { problems += examine(threads) }

    let client = try recording(&problems) { () throws(HybridError) in
      try GatewaySetup.of(arguments, environment)
    }
    let gateway = await client.asyncMap { client in
      Gateway(status: await client.status(model: nil), model: client.model)
    }
    if case .missing(let source) = gateway?.status.credentials {
      problems.append(
        Problem(
          .noCredentials, "the source of the gateway's key yields none: \(source)",
          remedy: "put the key into that file, or name another one with --key-file"))
    }
    await local?.close()

    let canAnswer = model?.isUsable == true || gateway?.isUsable == true
    if !canAnswer, problems.isEmpty {
      problems.append(
        Problem(
          .noSide, "there is neither a local model nor a gateway",
          remedy: "leave out --no-local, or give --gateway"))
    }
    return Diagnosis(
      versions: .current, model: model, threads: threads, outlook: outlook,
      machine: MachineReading(machine), gateway: gateway, problems: problems, canAnswer: canAnswer)
  }

  private static func noModel(_ listing: ModelLocator.Listing) -> Problem {
    if let closed = listing.refused {
      return Problem(
        .modelNotFound,
        "no local model is found, and \(closed.path) cannot be read: \(closed.reason)",
        remedy: "let this process read it, or name a file with --local-model")
    }
    return Problem(
      .modelNotFound, "no local model is found",
      remedy: "run Fixtures/bootstrap, or see hybrid models for where to put one")
  }

  /// Turns what is wrong with the configuration into a problem; only a wrong command line is thrown.
  private static func recording<Value>(
    _ problems: inout [Problem], _ body: () throws(HybridError) -> Value?
  ) throws(HybridError) -> Value? {
    do throws(HybridError) {
      return try body()
    } catch  where error.code == .usage {
      throw error
    } catch {
      let problem = Problem(error)
      if !problems.contains(problem) { problems.append(problem) }
      return nil
    }
  }

  /// What a load would choose. What is wrong with the file itself is told elsewhere.
  private static func foresee(
    _ local: LocalSetup?, _ problems: inout [Problem]
  ) async -> LocalOutlook? {
    do throws(HybridError) {
      return try await local?.outlook()
    } catch {
      let problem = Problem(error)
      if !problems.contains(problem) { problems.append(problem) }
      return nil
    }
  }

  private static func examine(_ local: LocalSetup, _ problems: inout [Problem]) async -> Model {
    let path = local.choice.path
    var header: GGUFHeader?
    do throws(ModelFileError) {
      header = try GGUFHeader(path: path)
      try header?.requireChatModel()
    } catch {
      problems.append(Problem(error.hybridError))
      // A sound one for another use is told all the same.
      return Model(choice: local.choice, header: header, status: nil)
    }
    guard let side = local.side else {
      return Model(choice: local.choice, header: header, status: nil)
    }
    let status = await side.status()
    if case .failed(let failure) = status.state {
      problems.append(Problem(failure, or: "the model cannot be loaded"))
    }
    if let memory = status.memory, memory.needed > memory.available {
      problems.append(
        Problem(
          .insufficientMemory,
          "the model needs \(Words.bytes(memory.needed)) and \(Words.bytes(memory.available)) "
            + "are available",
          remedy: "free some memory, shorten --context, or take a smaller model"))
    }
    switch await side.measure(ChatRequest(prompt: "Hello")) {
    case .counted: break
    case .templateRejected(let message, _):
      problems.append(
        Problem(.templateRejected, message, remedy: "take a model whose chat template is supported")
      )
    case .unavailable(let failure):
      let problem = Problem(failure, or: "the model's vocabulary cannot be read")
      if !problems.contains(problem) { problems.append(problem) }
    }
    return Model(choice: local.choice, header: header, status: status)
  }

  private static func examine(_ threads: ThreadPlan) -> [Problem] {
    let most = min(
      threads.budget.logicalCPUs, threads.budget.quota?.threads ?? threads.budget.logicalCPUs)
    if let asked = threads.decode.asked {
      return [
        Problem(
          .invalidConfiguration,
          "\(asked) threads were asked for, and there are \(threads.decode.count) CPUs: so many are "
            + "used, since more only wait for one another",
          remedy: "leave the setting out, or set at most \(most)")
      ]
    }
    guard threads.decode.source.isSetting, threads.decode.count > most else { return [] }
    return [
      Problem(
        .invalidConfiguration,
        "\(threads.decode.count) threads on \(most) CPUs wait for one another and are far slower",
        remedy: "leave the setting out, or set at most \(most)")
    ]
  }
}

extension Diagnosis.Model {
  /// The header of the copy that a load takes in the file's place; nil where it takes the file.
  var copyHeader: GGUFHeader? {
    guard usesTunedCopy, case .used(_, let path)? = tunedCopy else { return nil }
    return try? GGUFHeader(path: path)
  }

  /// What it is for; nil where the file cannot be read as a model.
  var use: ModelUse? { header.map(ModelUse.init) }

  /// What embedding texts with it would take, in a batch as full as may be; nil for other models.
  func embeddingNeed(_ memory: MemoryBudget) -> EmbedderPlan? {
    guard let header, use == .embedding, EmbedderKind.canEmbed(header) else { return nil }
    return try? EmbedderPlan(header, memory: memory)
  }

  var isUsable: Bool {
    guard header != nil, let status else { return false }
    if case .failed = status.state { return false }
    return status.memory.map { $0.needed <= $0.available } ?? true
  }
}

extension Diagnosis.Gateway {
  var isUsable: Bool {
    if case .missing = status.credentials { false } else { true }
  }
}

extension Optional {
  fileprivate func asyncMap<Value>(_ body: (Wrapped) async -> Value) async -> Value? {
    if let self { await body(self) } else { nil }
  }
}

internal import HybridCore
internal import HybridLocal

/// `hybrid models tune`: makes the best of a model file on this CPU.
struct ModelsTune {
  private let invocation: Invocation
  private let choice: ModelChoice
  private let options: ModelTuner.Options

  init(_ invocation: Invocation) throws(HybridError) {
    self.invocation = invocation
    let arguments = invocation.arguments
    try ModelsCheck.refuseOptions(arguments)
    options = try ModelTuner.Options(arguments)
    choice = try invocation.actionModel()
  }

  func run() async throws(HybridError) -> ExitCode {
    let console = invocation.console
    let tells = console.appearance.errorIsTerminal
    let tuning = try await invocation.stoppable {
      [choice, options, environment = invocation.environment] () throws(HybridError) in
      try await LocalSetup.tune(choice.path, options, environment) { step in
        if tells, let line = TuningReport.text(step) { console.note(line) }
      }
    }
    let isTerminal = console.appearance.outputIsTerminal
    try console.write(
      invocation.arguments.has(.json)
        ? JSONOutput.line(TuningReport.json(tuning, path: choice.path), isTerminal: isTerminal)
        : TuningReport.text(tuning, path: choice.path))
    return .done
  }

  static let options: [Option] = [
    .format, .maxDivergence, .maxPerplexity, .minGain, .threads, .force,
  ]

  /// Listing and checking have no use for them.
  static func refuseOptions(_ arguments: ParsedArguments) throws(HybridError) {
    for option in options + [.remove] where arguments.has(option) {
      throw .usage(
        "\(option.spelling) is for tuning", nextStep: "Write hybrid models tune \(option.spelling)")
    }
  }
}

extension Option {
  static let format = Option(
    "format", value: "NAME", isRepeatable: true,
    "a format to try, instead of all with fast kernels here: Q8_0, Q4_0 or IQ4_NL")
  static let maxDivergence = Option(
    "max-divergence", value: "X",
    "the most that the mean KL divergence of a copy may be, in nats; unless set 0.01")
  static let maxPerplexity = Option(
    "max-perplexity", value: "X",
    "the most that its perplexity ratio may be away from 1; unless set 0.01")
  static let minGain = Option(
    "min-gain", value: "X", "how many times as fast it has to be; unless set 1.05")
  static let force = Option("force", "measure anew what was measured before")
}

extension ModelTuner.Options {
  /// - Throws: `usage` for a value out of its range, and for an unknown format.
  fileprivate init(_ arguments: ParsedArguments) throws(HybridError) {
    self.init()
    var formats: [WeightFormat] = []
    for name in try arguments.filledValues(.format) {
      guard let format = WeightFormat(named: name) else {
        let names = WeightFormat.all.map(\.name).joined(separator: ", ")
        throw .badValue(name, of: .format, wanted: "one of \(names)")
      }
      if !formats.contains(format) { formats.append(format) }
    }
    if !formats.isEmpty { self.formats = formats }
    limits.divergence = try arguments.decimal(.maxDivergence, in: 0...100) ?? limits.divergence
    limits.perplexity = try arguments.decimal(.maxPerplexity, in: 0...100) ?? limits.perplexity
    leastGain = try arguments.decimal(.minGain, in: 0...100) ?? leastGain
    threads = try arguments.integer(.threads, in: ThreadSettings.range)
    isForced = arguments.has(.force)
  }
}

extension Invocation {
  /// The model that an action of `models` is told, or the default one.
  ///
  /// - Throws: `usage` for more than one; `modelNotFound`.
  func actionModel() throws(HybridError) -> ModelChoice {
    let operands = arguments.positionals.dropFirst()
    if let second = operands.dropFirst().first { throw .usage("unexpected \(second.quoted)") }
    guard let choice = try ModelChoice.of(operand: operands.first, environment) else {
      throw HybridError(
        .modelNotFound, "no local model is found",
        nextStep: "see hybrid models for where to put it", side: .local)
    }
    return choice
  }
}

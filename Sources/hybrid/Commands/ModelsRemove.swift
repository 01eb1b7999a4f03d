internal import HybridCore
internal import HybridLocal

/// `hybrid models tune --remove`: removes what tuning kept.
struct ModelsRemove {
  private let invocation: Invocation
  /// nil: of every model.
  private let choice: ModelChoice?

  init(_ invocation: Invocation) throws(HybridError) {
    self.invocation = invocation
    let arguments = invocation.arguments
    try ModelsCheck.refuseOptions(arguments)
    for option in ModelsTune.options where arguments.has(option) {
      try arguments.refuseTogether(.remove, option)
    }
    choice =
      arguments.positionals.count > 1 ? try invocation.actionModel() : nil
  }

  func run() async throws(HybridError) -> ExitCode {
    let removed = try await invocation.stoppable {
      [choice, environment = invocation.environment.variables] () throws(HybridError) in
      guard let choice else {
        return try await ModelTuner.removeAllCopies(environment: environment)
      }
      return try await ModelTuner(
        modelPath: choice.path, options: ModelTuner.Options(), time: SystemTimeSource(),
        machine: .current, environment: environment
      ).removeCopies()
    }
    let isTerminal = invocation.console.appearance.outputIsTerminal
    try invocation.console.write(
      invocation.arguments.has(.json)
        ? JSONOutput.line(Self.json(removed), isTerminal: isTerminal) : Self.text(removed))
    return .done
  }

  static func text(_ removed: RemovedCopies) -> String {
    let lines = removed.paths.map { "removed \($0)" }
    let sum =
      removed.paths.isEmpty
      ? "Nothing was removed: no tuned copy is kept."
      : "\(removed.copies) \(removed.copies == 1 ? "copy" : "copies"), "
        + "\(Words.bytes(removed.bytes)) with the records."
    return (lines + [sum]).map { TerminalText.harmless($0, keepsLines: false) }
      .joined(separator: "\n") + "\n"
  }

  static func json(_ removed: RemovedCopies) -> JSONValue {
    [
      "removed": .array(removed.paths.map { .string($0) }), "copies": .int(removed.copies),
      "bytes": .int(Int(clamping: removed.bytes)),
    ]
  }
}

extension Option {
  static let remove = Option(
    "remove", "remove the tuned copies of MODEL instead, or all where none is named")
}

internal import HybridCore
internal import HybridLocal

/// `hybrid models check`: whether a model file is sound, and what is worth knowing of it.
struct ModelsCheck {
  private let invocation: Invocation
  private let choice: ModelChoice
  private let hash: SHA256Digest?

  init(_ invocation: Invocation) throws(HybridError) {
    self.invocation = invocation
    try ModelsTune.refuseOptions(invocation.arguments)
    hash = try invocation.arguments.filled(.sha256).map { text throws(HybridError) in
      guard let hash = SHA256Digest(hex: text) else {
        throw .badValue(text, of: .sha256, wanted: "64 hexadecimal digits")
      }
      return hash
    }
    choice = try invocation.actionModel()
  }

  func run() async throws(HybridError) -> ExitCode {
    let environment = invocation.environment
    let check = try await invocation.stoppable { [choice, hash] () throws(HybridError) in
      try await ModelCatalog(
        environment: environment.variables, home: environment["HOME"]
      ).check(atPath: choice.path, hash: hash)
    }
    let isTerminal = invocation.console.appearance.outputIsTerminal
    try invocation.console.write(
      invocation.arguments.has(.json)
        ? JSONOutput.line(ModelCheckReport.json(check), isTerminal: isTerminal)
        : ModelCheckReport.text(check))
    return check.isGood ? .done : .unusableModel
  }

  /// Listing and tuning have no use for it.
  static func refuseOptions(_ arguments: ParsedArguments) throws(HybridError) {
    guard arguments.has(.sha256) else { return }
    throw .usage("--sha256 is for checking", nextStep: "Write hybrid models check --sha256")
  }
}

extension Option {
  static let sha256 = Option(
    "sha256", value: "HEX", "what the file's SHA-256 is to be, as its publisher tells it")
}

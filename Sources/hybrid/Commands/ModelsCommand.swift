internal import HybridCore
internal import HybridLocal

extension Command {
  /// The model files there are.
  static let models: Command = Command(
    name: "models", operand: "[check [MODEL] | tune [MODEL]]",
    summary: "list the local model files found, check one, or tune one to this CPU",
    examples: [
      Example(line: "hybrid models", meaning: "the first one is the default"),
      Example(line: "hybrid models --json | jq -r '.models[].path'", meaning: "for a script"),
      Example(
        line: "hybrid models check ./new.gguf",
        meaning: "whether it is sound, check by check, before llama.cpp sees it"),
      Example(
        line: "hybrid models tune",
        meaning: "the default model in other formats: speed, memory and quality of each"),
      Example(
        line: "hybrid models tune --remove",
        meaning: "removes every copy that was kept, and says how many bytes they had"),
    ],
    notes: [
      """
      Alone, tells what each model is, by its header alone, and each folder where models are looked for,
      in the order of the look-up: the first file is the default, and of several of one name a name means
      the first. MODEL is a path or a name; the default model where none is named.
      """,
      """
      check runs the pre-flight that each load begins with and prints every finding. Exits 0 for a chat
      or embedding model that a load would take, and 69, as every command does, for any other file and
      where there is none.
      """,
      """
      tune measures the model on this CPU, converts it to formats that llama.cpp has fast kernels for,
      compares the answers of each copy with the original's, and keeps the fastest that is within the
      limits in hybridkit/models below XDG_CACHE_HOME or ~/.cache. ask --tuned loads it. It takes about a
      minute for 135 million parameters on two idle cores, in proportion for more, and both cores
      meanwhile; the steps are told on a terminal's stderr, and Ctrl-C leaves nothing behind.
      """,
    ],
    groups: [
      OptionGroup(
        title: "Tuning",
        options: ModelsTune.options + [.remove]),
      OptionGroup(title: "Checking", options: [.sha256]),
      OptionGroup(title: "Output", options: [.json]),
    ],
    run: { invocation throws(HybridError) in
      switch invocation.arguments.positionals.first {
      case "tune" where invocation.arguments.has(.remove):
        return try await ModelsRemove(invocation).run()
      case "tune": return try await ModelsTune(invocation).run()
      case "check": return try await ModelsCheck(invocation).run()
      case let action?:
        throw .usage(
          "unknown action \(action.quoted)", nextStep: "Write hybrid models tune or check")
      case nil: break
      }
      try ModelsTune.refuseOptions(invocation.arguments)
      try ModelsCheck.refuseOptions(invocation.arguments)
      let listing = try await invocation.models()
      let isTerminal = invocation.console.appearance.outputIsTerminal
      try invocation.console.write(
        invocation.arguments.has(.json)
          ? JSONOutput.line(ModelListReport.json(listing), isTerminal: isTerminal)
          : ModelListReport.text(listing))
      return .done
    })
}

extension Invocation {
  /// Every model that is found.
  func models() async throws(HybridError) -> ModelListing {
    try await ModelCatalog(environment: environment.variables, home: environment["HOME"]).list()
  }
}

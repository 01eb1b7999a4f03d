internal import HybridCore

extension Command {
  /// What is there, and what is wrong.
  static let doctor: Command = Command(
    name: "doctor", operand: nil,
    summary: "say what is installed, which threads and memory would be used, and what is wrong",
    examples: [
      Example(line: "hybrid doctor", meaning: "every number with where it comes from"),
      Example(
        line: "hybrid doctor --json | jq .threads.decode.count",
        meaning: "one of them, for a script"),
      Example(
        line: "hybrid doctor --local-model ./other.gguf", meaning: "whether another model would do"),
    ],
    notes: [
      "Loads no model and asks no gateway. Exits 0 where some side could answer, 69 where none could."
    ],
    groups: [.local, .gateway, OptionGroup(title: "Output", options: [.json])],
    run: { invocation throws(HybridError) in
      try invocation.refuseOperands()
      let diagnosis = try await Diagnosis.make(invocation.arguments, invocation.environment)
      let isTerminal = invocation.console.appearance.outputIsTerminal
      try invocation.console.write(
        invocation.arguments.has(.json)
          ? JSONOutput.line(diagnosis.json, isTerminal: isTerminal)
          : DiagnosisReport.text(diagnosis))
      return diagnosis.canAnswer ? .done : .unavailable
    })
}

internal import HybridCore

extension Command {
  /// What a code means.
  static let explain = Command(
    name: "explain", operand: "CODE | HTTP-STATUS",
    summary: "say what a reason or an error means, and what the policy does about it",
    examples: [
      Example(line: "hybrid explain contextTooLong", meaning: "a check, a reason or an error"),
      Example(line: "hybrid explain 429", meaning: "what a gateway's status may mean"),
    ],
    notes: ["Codes:\n" + HelpText.wrapped(Explanation.names.joined(separator: " "), indent: 2)],
    groups: [],
    run: { invocation throws(HybridError) in
      guard let name = try invocation.operand("CODE") else {
        throw .usage("no code", nextStep: "see hybrid explain --help for all codes")
      }
      try invocation.console.write(Explanation.of(name).text)
      return .done
    })
}

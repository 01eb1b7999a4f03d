internal import HybridCore
internal import HybridLocal

extension Command {
  /// The model files there are.
  static let models: Command = Command(
    name: "models", operand: "[tune [MODEL]]",
    summary: "list the local model files found, or tune one to this CPU",
    examples: [
      Example(line: "hybrid models", meaning: "the first one is the default"),
      Example(line: "hybrid models --json | jq -r '.models[].path'", meaning: "for a script"),
      Example(
        line: "hybrid models tune",
        meaning: "the default model in other formats: speed, memory and quality of each"),
    ],
    notes: [
      """
      Without tune, tells each place where models are looked for. With it, measures MODEL (the default
      one where none is named) on this CPU, converts it to formats that llama.cpp has fast kernels for,
      compares the answers of each copy with the original's, and keeps the fastest that is within the
      limits in hybridkit/models below XDG_CACHE_HOME or ~/.cache. ask --tuned loads it.
      """
    ],
    groups: [
      OptionGroup(
        title: "Tuning",
        options: [.format, .maxDivergence, .maxPerplexity, .minGain, .threads, .force]),
      OptionGroup(title: "Output", options: [.json]),
    ],
    run: { invocation throws(HybridError) in
      if let action = invocation.arguments.positionals.first {
        guard action == "tune" else {
          throw .usage("unknown action \(action.quoted)", nextStep: "Write hybrid models tune")
        }
        return try await ModelsTune(invocation).run()
      }
      try ModelsTune.refuseOptions(invocation.arguments)
      let listing = ModelChoice.locator(invocation.environment).list()
      let isTerminal = invocation.console.appearance.outputIsTerminal
      try invocation.console.write(
        invocation.arguments.has(.json)
          ? JSONOutput.line(ModelsReport.json(listing), isTerminal: isTerminal)
          : ModelsReport.text(listing))
      return .done
    })
}

/// A listing of models as text and as JSON.
enum ModelsReport {
  static func text(_ listing: ModelLocator.Listing) -> String {
    var lines: [String] = []
    for (index, model) in listing.models.enumerated() {
      lines.append("\(model.name)\(index == 0 ? " (default)" : "")")
      lines.append("    \(model.path), \(Words.bytes(model.size))")
    }
    if lines.isEmpty { lines.append("No model file is found.") }
    lines.append("")
    lines.append("Looked in:")
    for visit in listing.visits {
      let found =
        visit.isPresent
        ? "\(visit.models.count) model\(visit.models.count == 1 ? "" : "s")" : "no such folder"
      lines.append("    \(visit.place.path): \(found)")
      for closed in visit.closed { lines.append("        \(closed.path): \(closed.reason)") }
    }
    return lines.map { TerminalText.harmless($0) }.joined(separator: "\n") + "\n"
  }

  static func json(_ listing: ModelLocator.Listing) -> JSONValue {
    [
      "models": .array(
        listing.models.map { model in
          [
            "name": .string(model.name), "path": .string(model.path),
            "size": .int(Int(clamping: model.size)),
          ]
        }),
      "places": .array(
        listing.visits.map { visit in
          [
            "path": .string(visit.place.path), "owner": .string(visit.place.owner.rawValue),
            "present": .bool(visit.isPresent), "models": .int(visit.models.count),
            "closed": .array(
              visit.closed.map { ["path": .string($0.path), "reason": .string($0.reason)] }),
          ]
        }),
    ]
  }
}

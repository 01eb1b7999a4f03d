internal import HybridCore
internal import HybridRouting

/// A plan as people read it.
enum PlanReport {
  /// One line.
  static func summary(_ plan: RoutingPlan) -> String {
    let side = plan.ranOn?.rawValue ?? "nowhere"
    let reason = plan.reason.map { "\($0.code.rawValue): \($0.message)" } ?? "–"
    return "plan: \(side) · reason: \(reason) · fallback: \(plan.fallback?.rawValue ?? "–")"
  }

  /// All of it, a check a line.
  static func text(_ plan: RoutingPlan) -> String {
    var lines = ["would run on: \(plan.ranOn?.rawValue ?? "nowhere")"]
    let reason = plan.reason.map { "\($0.message) [\($0.code.rawValue)]" }
    lines.append("reason:       \(reason ?? "–")")
    lines.append("prompt:       \(prompt(plan))")
    lines.append("fallback:     \(plan.fallback?.rawValue ?? "–")")
    if let other = plan.counterfactual { lines.append("otherwise:    \(other)") }
    lines.append("checks:")
    lines += plan.checks.map(check)
    return lines.map { TerminalText.harmless($0, keepsLines: false) }.joined(separator: "\n") + "\n"
  }

  private static func prompt(_ plan: RoutingPlan) -> String {
    let tokens =
      plan.promptTokens.map { length in
        "\(length.count) token\(length.count == 1 ? "" : "s")"
          + (length.isCounted ? "" : " (estimated)")
      }
      ?? "unknown length"
    let context = plan.contextLength.map { " of \($0)" } ?? ""
    return "\(tokens) + \(plan.reservedOutputTokens) for the answer\(context)"
  }

  private static func check(_ entry: CheckEntry) -> String {
    let verdict =
      switch entry.verdict {
      case .pass: "pass    "
      case .excludes: "EXCLUDES"
      case .notApplicable: "–       "
      }
    let side = entry.side == .local ? "local " : "remote"
    let details = entry.details.members.map { "\($0.key) \(JSONWriter.compact.string($0.value))" }
    return "  \(verdict)  \(side)  \(entry.code.rawValue)"
      + (details.isEmpty ? "" : "  (\(details.joined(separator: ", ")))")
  }
}

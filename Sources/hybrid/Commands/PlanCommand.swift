internal import HybridCore
internal import HybridKit
internal import HybridRouting

extension Command {
  /// The decision, without running anything.
  static let plan: Command = Command(
    name: "plan", operand: "[PROMPT]",
    summary: "say where a prompt would run, and why, without running it",
    examples: [
      Example(
        line: #"hybrid plan "Why is the sky blue?""#, meaning: "every check, with its numbers"),
      Example(
        line: #"hybrid plan --json --tag health "My results …" | jq .ranOn"#,
        meaning: "the decision for a script"),
      Example(
        line: "hybrid plan --policy service.json --messages chat.json",
        meaning: "what a service's policy would do with a conversation"),
    ],
    notes: [
      "Opens no socket, loads no weights and writes nothing. Without PROMPT, or with -, the prompt is\n"
        + "read from stdin. Exits 0 where a side is left and 69 where none is."
    ],
    groups: [.routing, .answering, .gateway, .request, .output],
    run: { invocation throws(HybridError) in try await runPlan(invocation) })

  private static func runPlan(_ invocation: Invocation) async throws(HybridError) -> ExitCode {
    let options = try OutputOptions(invocation.arguments)
    let wanted = try RequestOptions(invocation.arguments)
    let setup = try ChatSetup(invocation, for: wanted)
    let request = wanted.request(try PromptInput(invocation))
    try request.validate()
    let plan = await setup.chat.plan(request)
    await setup.close()
    let appearance = invocation.console.appearance
    try invocation.console.write(text(of: plan, options, appearance))
    if let problem = setup.modelProblem(plan), options.verbosity != .quiet {
      invocation.console.note(ErrorReport.text(problem, command: .plan, appearance))
    }
    return plan.ranOn == nil ? .unavailable : .done
  }

  private static func text(
    of plan: RoutingPlan, _ options: OutputOptions, _ appearance: Appearance
  ) -> String {
    let isTerminal = appearance.outputIsTerminal
    return switch options.format {
    case .text: PlanReport.text(plan)
    case .json: JSONOutput.line(plan.json, isTerminal: isTerminal)
    case .jsonLines: JSONOutput.line(plan.json.asEvent("plan"), isTerminal: isTerminal)
    }
  }
}

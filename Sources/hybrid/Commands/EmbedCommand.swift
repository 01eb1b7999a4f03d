internal import HybridCore
internal import HybridLocal

extension Command {
  /// Vectors of texts, by a model on this machine.
  static let embed: Command = Command(
    name: "embed", operand: "[TEXT…]",
    summary: "turn texts into vectors with a local embedding model",
    examples: [
      Example(
        line: #"hybrid embed --local-model bge-small "How do I reset it?""#,
        meaning: "one line of numbers"),
      Example(
        line: "hybrid embed --jsonl < passages.txt > vectors.jsonl",
        meaning: "of each line of a file, as JSON, by the only embedding model there is"),
      Example(
        line: #"hybrid embed --pooling mean --json "a cat" "a dog" | jq '.data[0].embedding'"#,
        meaning: "several texts, as one object; with --pooling the default chat model does too"),
    ],
    notes: [
      """
      Each operand is a text; without one, or with - alone, each line of stdin. Plain output is a line a
      text, its numbers separated by spaces. The vectors have the length 1 unless told otherwise. What
      some models want in front of a text, such as "query: ", is yours to write.
      """,
      """
      Where no model is named, the only embedding model that hybrid models finds is used; where there are
      several, one has to be named. Where there is none, the default chat model can be used with
      --pooling mean; its vectors are worse than those of a model made for it.
      """,
      """
      Each line of output belongs to the line of input with its number. So an empty line is an error;
      --skip-blank leaves blank lines out and says which on stderr, and JSON then tells each text's line.
      """,
    ],
    groups: [
      OptionGroup(title: "The model", options: [.localModel, .pooling, .threads]),
      OptionGroup(
        title: "The texts",
        options: [
          .skipBlank, .noNormalize, .truncate, .embeddingContext, .embeddingDeadline,
        ]),
      OptionGroup(title: "Output", options: [.json, .jsonLines]),
    ],
    run: { invocation throws(HybridError) in
      try await EmbedCommand.of(invocation).run()
    })
}

extension Option {
  static let pooling = Option(
    "pooling", value: "NAME",
    "mean, cls or last: how a text becomes one vector, instead of the model's own")
  static let noNormalize = Option("no-normalize", "leave the vectors as long as the model has them")
  static let truncate = Option("truncate", "cut texts that are too long, and say which on stderr")
  static let embeddingContext = Option(
    "context", value: "N",
    "the most tokens of a text, up to what the model was trained on; unless set "
      + "\(EmbedderPlan.defaultLimit), or \(EmbedderPlan.defaultLimitWithLogits) for a chat model")
  static let skipBlank = Option(
    "skip-blank", "leave out lines of stdin in which there is only white space")
  static let embeddingDeadline = Option(
    "deadline", value: "SECONDS", "the most time for all texts, the load included")
}

/// How the options want texts embedded.
struct EmbedOptions: Sendable, Hashable {
  let pooling: Pooling?
  let normalises: Bool
  let truncates: Bool
  let context: Int?
  let threads: Int?
  let deadline: Duration?

  /// - Throws: `usage` for a value out of its range, and for a pooling that gives no vector.
  init(_ arguments: ParsedArguments) throws(HybridError) {
    pooling = try arguments.filled(.pooling).map(Pooling.init(rawValue:))
    do throws(HybridError) {
      try pooling?.validate()
    } catch {
      // The same mistake as an option of the SDK's, but it is the command line that has it.
      throw .usage(error.message, nextStep: error.nextStep, details: error.details)
    }
    normalises = !arguments.has(.noNormalize)
    truncates = arguments.has(.truncate)
    context = try arguments.integer(.embeddingContext, in: 1...LoadPlan.longest)
    threads = try arguments.integer(.threads, in: ThreadSettings.range)
    deadline = try arguments.decimal(.embeddingDeadline, in: 0...1e9, isOpenBelow: true)
      .map { .seconds($0) }
  }
}

private struct EmbedCommand {
  let invocation: Invocation
  let options: EmbedOptions
  let format: OutputOptions.Format
  let choice: ModelChoice
  let operands: TextOperands

  static func of(_ invocation: Invocation) async throws(HybridError) -> EmbedCommand {
    // What is wrong with the command line is told before any folder is looked at.
    _ = try EmbedOptions(invocation.arguments)
    _ = try OutputOptions(invocation.arguments)
    let choice: ModelChoice
    if let named = try ModelChoice.named(invocation.arguments, invocation.environment) {
      choice = named
    } else {
      choice = try EmbeddingChoice.of(try await invocation.models())
    }
    return try EmbedCommand(invocation, choice)
  }

  private init(_ invocation: Invocation, _ choice: ModelChoice) throws(HybridError) {
    self.invocation = invocation
    options = try EmbedOptions(invocation.arguments)
    format = try OutputOptions(invocation.arguments).format
    self.choice = choice
    operands = try TextOperands.read(
      invocation.arguments.positionals, skipsBlank: invocation.arguments.has(.skipBlank))
  }

  func run() async throws(HybridError) -> ExitCode {
    let console = invocation.console
    if !operands.skipped.isEmpty { console.note(EmbeddingsReport.note(skipped: operands.skipped)) }
    let embeddings: Embeddings
    do throws(HybridError) {
      embeddings = try await invocation.stoppable {
        [choice, options, operands, environment = invocation.environment] () throws(HybridError) in
        try await LocalSetup.embed(operands.texts, choice.path, options, environment)
      }
    } catch {
      throw operands.located(error)
    }
    for truncation in embeddings.truncations {
      console.note(EmbeddingsReport.note(truncation, name: operands.name(truncation.index)))
    }
    let isTerminal = console.appearance.outputIsTerminal
    switch format {
    case .text: try console.write(EmbeddingsReport.text(embeddings))
    case .json:
      try console.write(
        JSONOutput.line(
          EmbeddingsReport.json(embeddings, lines: operands.shiftedLines), isTerminal: isTerminal))
    case .jsonLines:
      for event in EmbeddingsReport.events(embeddings, lines: operands.shiftedLines) {
        try console.write(JSONOutput.line(event, isTerminal: isTerminal))
      }
    }
    return .done
  }
}

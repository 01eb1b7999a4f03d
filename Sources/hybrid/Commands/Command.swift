internal import HybridCore

/// One command: what it is called, how its help reads, and what it does.
struct Command: Sendable {
  struct Example: Sendable {
    let line: String
    let meaning: String
  }

  let name: String
  /// What stands after the options in the usage line.
  let operand: String?
  /// One line for the overview.
  let summary: String
  let examples: [Example]
  /// What the summary leaves out, a paragraph each.
  var notes: [String] = []
  let groups: [OptionGroup]
  let run: @Sendable (Invocation) async throws(HybridError) -> ExitCode

  var options: [Option] { groups.flatMap(\.options) + [.help] }

  var usageLine: String {
    "hybrid \(name)" + (groups.isEmpty ? "" : " [options]") + (operand.map { " \($0)" } ?? "")
  }

  static let all: [Command] = [
    .ask, .plan, .tokens, .embed, .explain, .models, .doctor, .worker,
  ]

  /// - Throws: `usage` with the nearest name.
  static func named(_ name: String) throws(HybridError) -> Command {
    if let command = all.first(where: { $0.name == name }) { return command }
    if name.hasPrefix("-"), name != "-" {
      throw .usage("\(name.quoted) stands where a command is expected", nextStep: commandList)
    }
    let near = Suggestion.name(for: name, among: all.map(\.name))
    throw .usage(
      "unknown command \(name.quoted)", nextStep: near.map { "Did you mean \($0)?" } ?? commandList,
      details: near.map { ["argument": .string(name), "nearest": .string($0)] }
        ?? ["argument": .string(name)])
  }

  private static var commandList: String {
    "The commands are \(all.map(\.name).joined(separator: ", "))"
  }
}

/// Everything that one run of a command is given.
struct Invocation: Sendable {
  let arguments: ParsedArguments
  let environment: Environment
  let console: Console
  let signals: SignalWatch

  /// The one operand.
  ///
  /// - Throws: `usage` where there is more than one.
  func operand(_ name: String) throws(HybridError) -> String? {
    if arguments.positionals.count > 1 {
      throw .usage(
        "\(arguments.positionals.count) arguments where one \(name) is expected",
        nextStep: "Put quotation marks around the whole \(name)")
    }
    return arguments.positionals.first
  }

  /// Runs what a signal may stop: the first one cancels it.
  ///
  /// - Throws: what `body` does: `cancelled` then, for which the program ends as the signal has it.
  func stoppable<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(HybridError) -> Value
  ) async throws(HybridError) -> Value {
    signals.hold()
    let work = Task {
      do throws(HybridError) {
        return Result<Value, HybridError>.success(try await body())
      } catch {
        return .failure(error)
      }
    }
    signals.whenInterrupted { work.cancel() }
    return try await work.value.get()
  }

  func refuseOperands() throws(HybridError) {
    if let first = arguments.positionals.first { throw .usage("unexpected \(first.quoted)") }
  }
}

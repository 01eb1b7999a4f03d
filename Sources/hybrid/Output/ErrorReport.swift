internal import HybridCore
internal import HybridKit

/// An error as `hybrid` prints it.
enum ErrorReport {
  /// What happened, what to do about it and, for a wrong command line, the usage line.
  static func text(
    _ error: HybridError, command: Command?, isVerbose: Bool = false, _ appearance: Appearance
  ) -> String {
    func harmless(_ text: String) -> String { TerminalText.harmless(text, keepsLines: false) }
    let title = appearance.red("hybrid" + (command.map { " \($0.name)" } ?? "") + ":")
    let code = error.code == .usage ? "" : " [\(codes(error))]"
    var lines = ["\(title) \(harmless(error.message + code))"]
    if let step = error.nextStep { lines.append(harmless(Words.sentence(step))) }
    if isVerbose { lines += error.attempts.map(attempt) }
    if error.code == .usage {
      lines.append("Usage: \(command?.usageLine ?? "hybrid COMMAND [options]")")
      lines.append("hybrid \(command.map { "\($0.name) " } ?? "")--help shows more.")
    }
    return lines.joined(separator: "\n")
  }

  /// The last line of `--jsonl`: the object of `--json`, with its code and message in front, where a
  /// line filter finds them.
  static func event(_ error: HybridError) -> JSONValue {
    [
      "event": "error", "code": .string(error.code.rawValue), "message": .string(error.message),
      "error": error.json,
    ]
  }

  static func attempt(_ attempt: Attempt) -> String {
    let status = attempt.status.map { " (HTTP \($0))" } ?? ""
    return "attempt: \(attempt.side.rawValue), \(attempt.outcome)\(status), "
      + Words.duration(attempt.duration)
  }

  private static func codes(_ error: HybridError) -> String {
    let cause = error.causeCode
    return error.code.rawValue + (cause == error.code ? "" : ": \(cause.rawValue)")
  }
}

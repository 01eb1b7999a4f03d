/// The help, examples first.
enum HelpText {
  /// What `hybrid --help` prints.
  static var overview: String {
    let width = Command.all.map(\.name.count).max() ?? 0
    let commands = Command.all.map { "  \(padded($0.name, width))  \($0.summary)" }
    return """
      Examples:
        hybrid ask "Why is the sky blue?"
        hybrid plan --json "Why is the sky blue?"
        git diff | hybrid ask -s "Write a commit message for this diff."
        hybrid doctor

      Usage: hybrid COMMAND [options]

      Runs a prompt on the model on this machine or on a gateway, and says where and why.

      Commands:
      \(commands.joined(separator: "\n"))

      hybrid COMMAND --help shows a command's examples and options.
      hybrid --version shows the versions in use.

      \(exitCodes)

      """
  }

  static func of(_ command: Command) -> String {
    var parts = ["Examples:\n" + examples(command.examples)]
    parts.append("Usage: \(command.usageLine)\n\n\(command.summary.capitalizedFirst).")
    parts += command.notes
    let shown = command.groups + [OptionGroup(title: "Help", options: [.help])]
    let width = shown.flatMap(\.options).map(\.signature.count).filter { $0 <= 30 }.max() ?? 0
    for group in shown {
      parts.append("\(group.title):\n" + lines(of: group.options, width: width))
    }
    parts.append(exitCodes)
    return parts.joined(separator: "\n\n") + "\n"
  }

  private static func examples(_ examples: [Command.Example]) -> String {
    examples.map { "  \($0.line)\n      \($0.meaning)" }.joined(separator: "\n")
  }

  private static func lines(of options: [Option], width: Int) -> String {
    options.map { option in
      let help = option.help + (option.isRepeatable ? " (repeatable)" : "")
      let text = wrapped(help, indent: width + 4).drop { $0 == " " }
      // A long signature stands on a line of its own.
      return option.signature.count <= width
        ? "  \(padded(option.signature, width))  \(text)"
        : "  \(option.signature)\n  \(padded("", width))  \(text)"
    }
    .joined(separator: "\n")
  }

  static var exitCodes: String {
    "Exit codes:\n"
      + ExitCode.meanings.map { "  \(padded("\($0.code.rawValue)", 3))  \($0.meaning)" }
      .joined(separator: "\n")
  }

  /// Broken between words so that no line is longer than 80 characters.
  static func wrapped(_ text: String, indent: Int) -> String {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, indent + last.count + 1 + word.count <= 80 {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
    let margin = String(repeating: " ", count: indent)
    return lines.map { margin + $0 }.joined(separator: "\n")
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

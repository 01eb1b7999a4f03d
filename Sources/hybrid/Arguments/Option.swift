/// One option that a command understands.
struct Option: Sendable, Hashable {
  /// The long name without its dashes.
  let name: String
  /// The one-letter form.
  let short: Character?
  /// What the help calls the value; nil for an option that takes none.
  let value: String?
  /// Each occurrence adds a value. Of any other option the last occurrence counts.
  let isRepeatable: Bool
  let help: String

  init(
    _ name: String, short: Character? = nil, value: String? = nil, isRepeatable: Bool = false,
    _ help: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.isRepeatable = isRepeatable
    self.help = help
  }

  /// As it is written on a command line: `--max-tokens`.
  var spelling: String { "--\(name)" }

  /// As the help shows it: `-n, --max-tokens N`.
  var signature: String {
    (short.map { "-\($0), " } ?? "    ") + spelling + (value.map { " \($0)" } ?? "")
  }
}

/// Options under one heading of the help.
struct OptionGroup: Sendable {
  let title: String
  let options: [Option]
}

extension Option {
  static let help = Option("help", short: "h", "show this help")
}

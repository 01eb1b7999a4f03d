internal import HybridCore

/// Takes a command's arguments apart by the options that it knows.
///
/// Understands `--name value`, `--name=value`, `-n value`, `-nvalue`, several flags in one word
/// (`-qv`), and `--`, after which nothing is an option. `-` alone is a positional: stdin.
struct ArgumentParser: Sendable {
  let options: [Option]

  /// - Throws: `usage` that names the argument and, for an unknown option, the nearest known one.
  func parse(_ arguments: [String]) throws(HybridError) -> ParsedArguments {
    var result = ParsedArguments()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        result.positionals += rest
        break
      } else if argument.hasPrefix("--") {
        try result.occurrences.append(long(argument, &rest))
      } else if argument.hasPrefix("-"), argument != "-" {
        try result.occurrences += short(argument, &rest)
      } else {
        result.positionals.append(argument)
      }
    }
    return result
  }

  private func long(
    _ argument: String, _ rest: inout ArraySlice<String>
  ) throws(HybridError) -> ParsedArguments.Occurrence {
    let parts = argument.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = options.first(where: { $0.name == name }) else {
      throw unknown("--\(name)")
    }
    if option.value == nil {
      if parts.count == 2 { throw .usage("\(option.spelling) takes no value") }
      return ParsedArguments.Occurrence(option: option, value: nil)
    }
    let value = try parts.count == 2 ? String(parts[1]) : next(for: option, "--\(name)", &rest)
    return ParsedArguments.Occurrence(option: option, value: value)
  }

  private func short(
    _ argument: String, _ rest: inout ArraySlice<String>
  ) throws(HybridError) -> [ParsedArguments.Occurrence] {
    var found: [ParsedArguments.Occurrence] = []
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = options.first(where: { $0.short == letter }) else {
        throw unknown(argument.count == 2 ? argument : "-\(letter)", in: argument)
      }
      guard option.value != nil else {
        found.append(ParsedArguments.Occurrence(option: option, value: nil))
        continue
      }
      let value = try letters.isEmpty ? next(for: option, "-\(letter)", &rest) : String(letters)
      found.append(ParsedArguments.Occurrence(option: option, value: value))
      break
    }
    return found
  }

  /// The argument after the option. One that is itself a known option is a forgotten value far more
  /// often than a wanted one, which can still be given with `=`.
  private func next(
    for option: Option, _ spelled: String, _ rest: inout ArraySlice<String>
  ) throws(HybridError) -> String {
    let placeholder = option.value ?? "VALUE"
    guard let value = rest.popFirst() else {
      throw .usage("\(spelled) needs a value: \(spelled) \(placeholder)")
    }
    if value == "--" || options.contains(where: { isSpelling(value, of: $0) }) {
      throw .usage(
        "\(spelled) needs a value, and \(value) is an option",
        nextStep: "Write \(option.spelling)=\(value) if that is the value")
    }
    return value
  }

  private func isSpelling(_ text: String, of option: Option) -> Bool {
    text == option.spelling || text.hasPrefix(option.spelling + "=")
      || option.short.map { text == "-\($0)" } ?? false
  }

  private func unknown(_ spelled: String, in argument: String? = nil) -> HybridError {
    let place = argument.flatMap { $0 == spelled ? nil : " in \($0.quoted)" } ?? ""
    let near = Suggestion.name(for: spelled, among: options.map(\.spelling))
    let step =
      near.map { "Did you mean \($0)?" }
      ?? "Put -- before text that begins with a dash: -- \((argument ?? spelled).quoted)"
    return .usage(
      "unknown option \(spelled.quoted)\(place)", nextStep: step,
      details: near.map { ["argument": .string(spelled), "nearest": .string($0)] }
        ?? ["argument": .string(spelled)])
  }
}

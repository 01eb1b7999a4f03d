internal import HybridCore

/// How an answer is printed.
struct OutputOptions: Sendable, Hashable {
  enum Format: Sendable, Hashable {
    case text
    /// One object.
    case json
    /// One event a line.
    case jsonLines
  }

  var format = Format.text
  /// Output is printed as it comes. Where it is not, a failing side can be replaced to the end.
  var streams = true
  var verbosity = Verbosity.normal
  var color = ColorMode.auto

  enum Verbosity: Sendable, Hashable {
    case quiet
    case normal
    case verbose
  }

  /// From arguments that cannot be taken apart: the form in which to say so.
  init(guessedFrom arguments: [String]) {
    let options = arguments.prefix { $0 != "--" }
    if options.contains(Option.json.spelling) {
      format = .json
    } else if options.contains(Option.jsonLines.spelling) {
      format = .jsonLines
    }
    if options.contains("-v") || options.contains(Option.verbose.spelling) { verbosity = .verbose }
    color =
      options.compactMap { ColorMode(rawValue: String($0.dropFirst("--color=".count))) }.last
      ?? .auto
  }

  /// - Throws: `usage` for options that contradict each other or an unknown `--color`.
  init(_ arguments: ParsedArguments) throws(HybridError) {
    try arguments.refuseTogether(.json, .jsonLines)
    try arguments.refuseTogether(.quiet, .verbose)
    format =
      arguments.has(.json) ? .json : arguments.has(.jsonLines) ? .jsonLines : .text
    streams = format != .json && !arguments.has(.noStream)
    verbosity = arguments.has(.quiet) ? .quiet : arguments.has(.verbose) ? .verbose : .normal
    color = try arguments.word(.color) ?? .auto
  }
}

extension ParsedArguments {
  /// - Throws: `usage` where both are given.
  func refuseTogether(_ first: Option, _ second: Option) throws(HybridError) {
    if has(first), has(second) {
      throw .usage(
        "\(first.spelling) and \(second.spelling) contradict each other",
        nextStep: "leave one of them out")
    }
  }

  /// One of a few words.
  ///
  /// - Throws: `usage` with all of them, and the nearest.
  func word<Word: CaseIterable & RawRepresentable<String>>(
    _ option: Option
  ) throws(HybridError) -> Word? {
    guard let text = value(option) else { return nil }
    if let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue)
    let near = Suggestion.name(for: text, among: words)
    throw .badValue(
      text, of: option,
      wanted: words.joined(separator: " or ") + (near.map { "; did you mean \($0)?" } ?? ""))
  }
}

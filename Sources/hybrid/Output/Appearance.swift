/// What each stream may carry: colour, and text that is harmless to a terminal.
struct Appearance: Sendable, Hashable {
  var outputIsTerminal: Bool
  var errorIsTerminal: Bool
  /// Colour on stderr. Stdout carries the answer and nothing else, so it never has any.
  var isColored: Bool

  /// - Parameters:
  ///   - mode: `--color`.
  ///   - environment: `NO_COLOR`, `CLICOLOR_FORCE`, `FORCE_COLOR` and `TERM` decide in `auto`.
  init(
    mode: ColorMode = .auto, environment: Environment, outputIsTerminal: Bool, errorIsTerminal: Bool
  ) {
    self.outputIsTerminal = outputIsTerminal
    self.errorIsTerminal = errorIsTerminal
    isColored =
      switch mode {
      case .always: true
      case .never: false
      case .auto: Self.wantsColor(environment, isTerminal: errorIsTerminal)
      }
  }

  private static func wantsColor(_ environment: Environment, isTerminal: Bool) -> Bool {
    if environment["NO_COLOR"] != nil { return false }
    for name in ["CLICOLOR_FORCE", "FORCE_COLOR"] {
      if let value = environment[name], value != "0" { return true }
    }
    return isTerminal && environment["TERM"] != "dumb"
  }

  func dim(_ text: String) -> String { styled(text, "2") }
  func bold(_ text: String) -> String { styled(text, "1") }
  func red(_ text: String) -> String { styled(text, "1;31") }
  func yellow(_ text: String) -> String { styled(text, "33") }

  private func styled(_ text: String, _ code: String) -> String {
    isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

/// `--color`.
enum ColorMode: String, Sendable, CaseIterable {
  case auto
  case always
  case never
}

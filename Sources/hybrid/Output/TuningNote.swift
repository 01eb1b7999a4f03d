internal import HybridCore
internal import HybridLocal

/// What stderr says of tuned threads and tuned copies.
enum TuningNote {
  /// - Parameter choice: which was asked for.
  static func text(
    _ choice: TunedCopyChoice, _ verbosity: OutputOptions.Verbosity
  ) -> String? {
    switch choice {
    case .used(let format, let path):
      verbosity == .verbose
        ? "model: its tuned copy in \(format), \(TerminalText.harmless(path, keepsLines: false))"
        : nil
    case .absent(let reason):
      verbosity == .quiet
        ? nil : "model: the file itself, \(TerminalText.harmless(reason, keepsLines: false))"
    }
  }

  /// - Parameter wasAsked: `--auto-tune` was given; otherwise a bad store is only told with `-v`.
  static func text(
    _ result: AutoTuneResult, wasAsked: Bool, _ verbosity: OutputOptions.Verbosity
  ) -> String? {
    let isVerbose = verbosity == .verbose
    if let warning = result.warning {
      guard isVerbose || (wasAsked && verbosity == .normal) else { return nil }
      return "threads: \(TerminalText.harmless(warning, keepsLines: false))"
    }
    guard isVerbose, let threads = result.threads else { return nil }
    let origin = result.origin == .measured ? "measured just now" : "measured before"
    return "threads: \(threads.decode) decode, \(threads.prefill) prefill, \(origin)"
  }
}

internal import HybridCore
internal import HybridLocal

/// What stderr says of tuned threads.
enum TuningNote {
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

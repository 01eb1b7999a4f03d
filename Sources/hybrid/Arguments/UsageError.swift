internal import HybridCore

extension ErrorCode {
  /// The command line itself is wrong.
  static let usage = ErrorCode(rawValue: "usage")
}

extension HybridError {
  static func usage(
    _ message: String, nextStep: String? = nil, details: JSONObject = [:]
  ) -> HybridError {
    HybridError(.usage, message, nextStep: nextStep, details: details)
  }
}

extension String {
  /// In quotation marks for a message: cut where it is long, on one line and harmless to a terminal.
  var quoted: String {
    let shown = count > 60 ? prefix(60) + "…" : self[...]
    return "'" + TerminalText.harmless(String(shown), keepsLines: false) + "'"
  }
}

internal import HybridCore
internal import HybridLocal

/// What checking a model file came to as text and as JSON.
enum ModelCheckReport {
  static func text(_ check: ModelCheck) -> String {
    var lines = [check.path, ""]
    let width = check.findings.map { $0.check.rawValue.count }.max() ?? 0
    for finding in check.findings {
      let name = finding.check.rawValue
      let padding = String(repeating: " ", count: width - name.count)
      let place = finding.offset.map { " (at byte \($0))" } ?? ""
      lines.append("  \(word(finding.verdict))  \(name)\(padding)  \(finding.message)\(place)")
    }
    lines += ["", verdict(check), "Checked in \(Words.duration(check.checkTime))."]
    return lines.map { TerminalText.harmless($0, keepsLines: false) }.joined(separator: "\n") + "\n"
  }

  /// All of one width.
  private static func word(_ verdict: ModelCheck.Verdict) -> String {
    switch verdict {
    case .pass: "ok     "
    case .warning: "warning"
    case .failure: "FAILED "
    case .notChecked: "–      "
    }
  }

  private static func verdict(_ check: ModelCheck) -> String {
    if let error = check.error {
      return "Bad: \(Words.sentence(error.nextStep ?? error.message))"
    }
    let use = check.facts?.use == .embedding ? "an embedding model" : "a chat model"
    let warnings =
      switch check.warnings.count {
      case 0: ""
      case 1: ", with a warning"
      case let count: ", with \(count) warnings"
      }
    return check.isCompared
      ? "Good: \(use)\(warnings), and byte for byte the file with the SHA-256 that was given."
      : "Good by its header: \(use)\(warnings). The weights were not read: compare the file with "
        + "--sha256."
  }

  static func json(_ check: ModelCheck) -> JSONValue {
    var object: JSONObject = [
      "path": .string(check.path), "good": .bool(check.isGood),
      "compared": .bool(check.isCompared),
      "warnings": .int(check.warnings.count),
      "findings": .array(
        check.findings.map { finding in
          [
            "check": .string(finding.check.rawValue), "verdict": .string(finding.verdict.rawValue),
            "message": .string(finding.message),
            "offset": .optional(finding.offset.map { Int(clamping: $0) }),
            "key": .optional(finding.key),
          ]
        }),
      "error": check.error?.shortJSON ?? .null,
    ]
    for (key, value) in ModelListReport.fields(check.facts) { object[key] = value }
    object["seconds"] = .seconds(check.checkTime)
    return .object(object)
  }
}

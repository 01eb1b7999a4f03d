internal import HybridCore
internal import HybridLocal

/// What tuning a model came to, as a table and as JSON.
enum TuningReport {
  static func text(_ tuning: ModelTuning, path: String) -> String {
    var rows = [
      ["format", "size", "memory", "prefill", "decode", "KL", "perplexity", "gain", ""],
      cells(tuning.original, nil) + ["the file itself"],
    ]
    for copy in tuning.copies {
      let row =
        copy.measurement.map { cells($0, $0.gain(over: tuning.original)) }
        ?? [copy.format] + Array(repeating: "–", count: 7)
      rows.append(row + [text(copy.verdict)])
    }
    var lines = [ModelName.stem(ofPath: path), ""] + aligned(rows)
    lines += [
      "",
      "Prefill and decode are tokens a second; gain is how many times as fast 256 tokens in and 64 out are.",
    ]
    if let warning = tuning.warning { lines.append("\(Words.sentence(warning))") }
    if !tuning.isNew { lines.append("Measured before; --force measures anew.") }
    lines.append(
      tuning.keptPath.map { "Kept: \($0), which ask --tuned loads." }
        ?? "Nothing is kept: the file itself is best.")
    return lines.map { TerminalText.harmless($0) }.joined(separator: "\n") + "\n"
  }

  private static func cells(_ row: FormatMeasurement, _ gain: Double?) -> [String] {
    let quality = row.quality
    return [
      row.format, Words.bytes(row.size), Words.bytes(row.memory), speed(row.prefill),
      speed(row.decode), quality?.divergence.rounded(to: 4) ?? "–",
      quality.map { "\($0.perplexityRatio.rounded(to: 4)) ± \($0.ratioError.rounded(to: 4))" }
        ?? "–",
      gain?.rounded(to: 2) ?? "–",
    ]
  }

  private static func speed(_ tokens: Double) -> String { "\(Int(tokens.rounded()))" }

  private static func aligned(_ rows: [[String]]) -> [String] {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let line = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      return String(line.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }
  }

  static func text(_ verdict: CopyVerdict) -> String {
    switch verdict {
    case .kept: "kept"
    case .admitted: "good, and not the fastest"
    case .divergence(let limit): "refused: KL over \(limit)"
    case .perplexity(let limit): "refused: perplexity ratio more than \(limit) from 1"
    case .notFaster(let least): "refused: gains less than \(least) times"
    case .failed(let problem): "failed: \(problem)"
    }
  }

  /// What is being done; nil for what need not be told: of a conversion, its begin is enough.
  static func text(_ step: ModelTuner.Step) -> String? {
    switch step {
    case .reading: "reading what the original says"
    case .converting(let format, let fraction): fraction == 0 ? "converting to \(format)" : nil
    case .comparing(let format): "comparing the answers of \(format)"
    case .timing(let round, let all): "timing, round \(round) of \(all)"
    }
  }

  static func json(_ tuning: ModelTuning, path: String) -> JSONValue {
    [
      "path": .string(path), "original": tuning.original.json,
      "copies": .array(
        tuning.copies.map { copy in
          [
            "format": .string(copy.format), "measurement": copy.measurement?.json ?? .null,
            "gain": copy.measurement.map { .double($0.gain(over: tuning.original)) } ?? .null,
            "admitted": .bool(copy.verdict == .kept || copy.verdict == .admitted),
            "kept": .bool(copy.verdict == .kept), "verdict": .string(text(copy.verdict)),
          ]
        }),
      "limits": [
        "divergence": .double(tuning.limits.divergence),
        "perplexity": .double(tuning.limits.perplexity), "gain": .double(tuning.leastGain),
      ],
      "keptPath": .optional(tuning.keptPath), "new": .bool(tuning.isNew),
      "warning": .optional(tuning.warning),
    ]
  }
}

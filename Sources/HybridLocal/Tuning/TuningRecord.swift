package import HybridCore

/// What one tuning came to, as a small JSON file remembers it beside the copy that was kept.
struct TuningRecord: Sendable, Hashable {
  /// The copy, and how to tell that it is still what was kept.
  struct Kept: Sendable, Hashable {
    var format: String
    var size: UInt64
    var fingerprint: String
    /// When it was last written, in nanoseconds since 1970.
    var modified: Int64
  }

  /// A copy's row: what was measured, or why nothing was.
  struct Row: Sendable, Hashable {
    var format: String
    var measurement: FormatMeasurement?
    var problem: String?
  }

  var key: TunedCopyKey
  var limits: QualityLimits
  var leastGain: Double
  var original: FormatMeasurement
  var rows: [Row]
  var kept: Kept?
  var warning: String?

  /// The verdicts follow from the numbers, so they are not stored.
  var copies: [ModelTuning.Copy] {
    let measured = rows.compactMap(\.measurement)
    var verdicts = CopyVerdict.of(
      measured, original: original, limits: limits, leastGain: leastGain)[...]
    return rows.map { row in
      guard let measurement = row.measurement else {
        return ModelTuning.Copy(
          format: row.format, measurement: nil,
          verdict: .failed(row.problem ?? "it was not measured")
        )
      }
      return ModelTuning.Copy(
        format: row.format, measurement: measurement,
        verdict: verdicts.popFirst() ?? .failed("it was not judged"))
    }
  }
}

extension TuningRecord {
  /// Of the file's layout.
  private static let layout = 1

  var bytes: [UInt8] {
    JSONWriter.pretty.bytes([
      "format": .int(Self.layout), "model": .string(key.model),
      "processor": .string(key.processor), "llama.cpp": .string(key.library),
      "limits": [
        "divergence": .double(limits.divergence), "perplexity": .double(limits.perplexity),
      ],
      "leastGain": .double(leastGain), "original": original.json,
      "copies": .array(
        rows.map { row in
          [
            "format": .string(row.format), "measurement": row.measurement?.json ?? .null,
            "problem": .optional(row.problem),
          ]
        }),
      "kept": kept.map { kept in
        [
          "format": .string(kept.format), "size": .int(Int(clamping: kept.size)),
          "fingerprint": .string(kept.fingerprint), "modified": .int(Int(kept.modified)),
        ]
      } ?? .null,
      "warning": .optional(warning),
    ]) + [0x0A]
  }

  /// - Returns: nil where the text is not what this writes.
  init?(_ text: String) {
    guard let file = try? JSONReader.file.read(text), file["format"]?.int == Self.layout,
      let model = file["model"]?.string, let processor = file["processor"]?.string,
      let library = file["llama.cpp"]?.string,
      let divergence = file["limits"]?["divergence"]?.double,
      let perplexity = file["limits"]?["perplexity"]?.double,
      let leastGain = file["leastGain"]?.double,
      let original = file["original"].flatMap(FormatMeasurement.init(json:)),
      let rows = file["copies"]?.array
    else { return nil }
    key = TunedCopyKey(model: model, processor: processor, library: library)
    limits = QualityLimits(divergence: divergence, perplexity: perplexity)
    self.leastGain = leastGain
    self.original = original
    self.rows = rows.compactMap { row in
      row["format"]?.string.map { format in
        Row(
          format: format, measurement: row["measurement"].flatMap(FormatMeasurement.init(json:)),
          problem: row["problem"]?.string)
      }
    }
    warning = file["warning"]?.string
    guard let kept = file["kept"], kept != .null else { return }
    // The format becomes part of a path.
    guard let format = kept["format"]?.string.flatMap(WeightFormat.init(named:)),
      let size = kept["size"]?.int.flatMap(UInt64.init(exactly:)),
      let fingerprint = kept["fingerprint"]?.string, let modified = kept["modified"]?.int
    else { return nil }
    self.kept = Kept(
      format: format.name, size: size, fingerprint: fingerprint, modified: Int64(modified))
  }
}

extension FormatMeasurement {
  /// The row as `hybrid models tune --json` and the record have it. Sizes are bytes, speeds tokens a
  /// second.
  package var json: JSONValue {
    [
      "format": .string(format), "size": .int(Int(clamping: size)),
      "memory": .int(Int(clamping: memory)), "prefill": .double(prefill),
      "decode": .double(decode),
      "quality": quality.map { quality in
        [
          "divergence": .double(quality.divergence),
          "perplexityRatio": .double(quality.perplexityRatio),
          "ratioError": .double(quality.ratioError), "tokens": .int(quality.tokens),
        ]
      } ?? .null,
    ]
  }

  init?(json: JSONValue) {
    guard let format = json["format"]?.string,
      let size = json["size"]?.int.flatMap(UInt64.init(exactly:)),
      let memory = json["memory"]?.int.flatMap(UInt64.init(exactly:)),
      let prefill = json["prefill"]?.double, let decode = json["decode"]?.double
    else { return nil }
    self.init(format: format, size: size, memory: memory, prefill: prefill, decode: decode)
    guard let quality = json["quality"], quality != .null else { return }
    // What was no number was written as null.
    self.quality = CopyQuality(
      divergence: quality["divergence"]?.double ?? .nan,
      perplexityRatio: quality["perplexityRatio"]?.double ?? .nan,
      ratioError: quality["ratioError"]?.double ?? .nan, tokens: quality["tokens"]?.int ?? 0)
  }
}

internal import HybridCore
internal import HybridLocal

/// The models that are found as text and as JSON.
enum ModelListReport {
  static func text(_ listing: ModelListing) -> String {
    var lines: [String] = []
    for (index, model) in listing.models.enumerated() {
      lines.append("\(model.name)\(mark(index, listing))")
      lines.append("    \(model.path), \(Words.bytes(model.size))")
      switch model.facts {
      case .success(let facts): lines += text(facts).map { "    \($0)" }
      case .failure(let error): lines.append("    cannot be used: \(problem(error, model))")
      }
    }
    if lines.isEmpty {
      lines.append("No model file is found.")
    } else {
      lines += ["", readTimes(listing.models)]
    }
    lines += ["", "Looked in, in this order:"]
    for visit in listing.places {
      let found =
        visit.isPresent
        ? "\(visit.models.count) model\(visit.models.count == 1 ? "" : "s")" : "no such folder"
      lines.append("    \(visit.place.path): \(found)")
      for closed in visit.closed { lines.append("        \(closed.path): \(closed.reason)") }
    }
    return lines.map { TerminalText.harmless($0, keepsLines: false) }.joined(separator: "\n") + "\n"
  }

  private static func mark(_ index: Int, _ listing: ModelListing) -> String {
    if index == 0 { return " (default)" }
    return listing.isNamed(index) ? "" : " (only by its path: the name means an earlier one)"
  }

  private static func text(_ facts: ModelSummary.Facts) -> [String] {
    let size = facts.sizeLabel.map { " \($0)" } ?? ""
    var lines = [
      "\(facts.use): \(facts.architecture)\(size), \(facts.format), trained on "
        + "\(facts.trainedContextLength) tokens",
      "template \(facts.template), licence \(facts.license ?? "not said")",
    ]
    if let memory = facts.expectedMemory, let length = facts.contextLength {
      lines.append("takes \(Words.bytes(memory)) with a context of \(length) tokens")
    }
    if let share = facts.fastShare {
      var line = "fast kernels on this CPU: \(text(share: share))"
      switch facts.tunedCopy {
      case .used(let format, _)?: line += "; a tuned copy in \(format) stands ready"
      case .absent?, nil: break
      }
      lines.append(line)
    }
    return lines
  }

  /// Nearly all is not all.
  static func text(share: Double) -> String {
    if share == 0 { return "for none of its weights" }
    if share == 1 { return "for all of its weights" }
    return "for \(min(99, max(1, Int((share * 100).rounded())))) % of its weights"
  }

  /// Without the path, which stands above.
  private static func problem(_ error: HybridError, _ model: ModelSummary) -> String {
    let prefix = model.path + ": "
    return error.message.hasPrefix(prefix)
      ? String(error.message.dropFirst(prefix.count)) : error.message
  }

  private static func readTimes(_ models: [ModelSummary]) -> String {
    let times = models.map(\.readTime)
    let longest = times.max() ?? .zero
    let sum = times.reduce(.zero, +)
    return models.count == 1
      ? "Read one header in \(Words.duration(sum))."
      : "Read \(models.count) headers in \(Words.duration(sum)), the longest in "
        + "\(Words.duration(longest))."
  }

  static func json(_ listing: ModelListing) -> JSONValue {
    [
      "models": .array(
        listing.models.enumerated().map { index, model in
          json(model, isNamed: listing.isNamed(index))
        }),
      "places": .array(
        listing.places.map { visit in
          [
            "path": .string(visit.place.path), "owner": .string(visit.place.owner.rawValue),
            "present": .bool(visit.isPresent), "models": .int(visit.models.count),
            "closed": .array(
              visit.closed.map { ["path": .string($0.path), "reason": .string($0.reason)] }),
          ]
        }),
    ]
  }

  private static func json(_ model: ModelSummary, isNamed: Bool) -> JSONValue {
    var object: JSONObject = [
      "name": .string(model.name), "onlyByPath": .bool(!isNamed), "path": .string(model.path),
      "size": .int(Int(clamping: model.size)),
    ]
    let facts = try? model.facts.get()
    for (key, value) in fields(facts) { object[key] = value }
    if case .failure(let error) = model.facts {
      object["problem"] = error.shortJSON
    } else {
      object["problem"] = .null
    }
    object["seconds"] = .seconds(model.readTime)
    return .object(object)
  }

  /// The same members whether the header could be read or not.
  static func fields(_ facts: ModelSummary.Facts?) -> [(String, JSONValue)] {
    var hasCopy: JSONValue = .null
    var copyFormat: String?
    if let copy = facts?.tunedCopy {
      copyFormat = copy.format
      hasCopy = .bool(copyFormat != nil)
    }
    return [
      ("kind", .optional(facts?.use.rawValue)),
      ("architecture", .optional(facts?.architecture)),
      ("sizeLabel", .optional(facts?.sizeLabel)),
      ("parameters", .optional(facts.map { Int(clamping: $0.parameterCount) })),
      ("format", .optional(facts?.format)),
      ("trainedContext", .optional(facts?.trainedContextLength)),
      ("template", .optional(facts?.template.rawValue)),
      ("license", .optional(facts?.license)),
      ("context", .optional(facts?.contextLength)),
      ("memory", .optional(facts?.expectedMemory)),
      ("fastShare", facts?.fastShare.map { .double($0) } ?? .null),
      ("tunedCopy", hasCopy), ("tunedFormat", .optional(copyFormat)),
    ]
  }
}

extension HybridError {
  /// What went wrong and what to do, for a file among others.
  var shortJSON: JSONValue {
    [
      "code": .string(code.rawValue), "message": .string(message), "nextStep": .optional(nextStep),
      "details": .object(details),
    ]
  }
}

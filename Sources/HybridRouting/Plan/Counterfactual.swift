import HybridCore

/// What would have to change for the other side to run a request.
struct Counterfactual {
  let chosen: Side?
  let preferred: Side
  let checks: [CheckEntry]

  /// Nothing but the facts that stood in the way is named, with its numbers.
  var sentence: String {
    guard let chosen else {
      return [preferred, preferred.other].map(sentence(for:)).joined(separator: "; ")
    }
    return sentence(for: chosen.other)
  }

  private func sentence(for side: Side) -> String {
    "\(side.rawValue) would run if \(list(conditions(for: side)))"
  }

  private func conditions(for side: Side) -> [String] {
    var conditions = checks.filter { $0.side == side && $0.excludes }
      .map { ReasonText.of($0.code).remedy($0.details, for: side) }
    let isUnwanted = chosen == preferred && side != preferred
    let isForbidden = checks.contains {
      $0.code == .preference && $0.side == side && $0.excludes
    }
    if isUnwanted, !isForbidden {
      let wish = "the preference were \(Preference.preferring(side).rawValue)"
      // With nothing else in the way, outgrowing the local context has the same effect.
      let outgrown = conditions.isEmpty ? roomLeft : nil
      let orLonger = outgrown.map { " or the prompt \(Figures.tokens(.int($0 + 1))) longer" }
      conditions.insert(wish + (orLonger ?? ""), at: 0)
    }
    return conditions
  }

  /// The tokens by which the prompt may still grow before the local side is excluded; nil where the
  /// local side was not chosen or nothing was counted.
  private var roomLeft: Int? {
    guard chosen == .local,
      let entry = checks.first(where: { $0.code == .contextTooLong && $0.verdict == .pass }),
      let prompt = entry.details["prompt"]?.int, let reserved = entry.details["reserved"]?.int,
      let context = entry.details["context"]?.int
    else { return nil }
    return context - prompt - reserved
  }

  private func list(_ parts: [String]) -> String {
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: ", ") + " and " + last
  }
}

extension Preference {
  /// The preference that asks `side` first and lets the other one stand in.
  static func preferring(_ side: Side) -> Preference {
    side == .local ? .preferLocal : .preferRemote
  }
}

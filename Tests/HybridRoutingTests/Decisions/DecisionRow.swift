import Foundation
import HybridCore
import HybridRouting

/// A row of a table in `Fixtures/decisions`: words for the policy and the facts, and the decision.
struct DecisionRow: CustomStringConvertible {
  /// The columns behind the facts, as the file has them.
  struct Decision: Hashable {
    var runsOn = "-"
    var reason = "-"
    var fallback = "-"
    var againstLocal = "-"
    var againstRemote = "-"
    var deadEnd = "-"
  }

  struct Malformed: Error {
    let row: String
    let word: String
  }

  let description: String
  let policy: RoutingPolicy
  let facts: RoutingFacts
  let expected: Decision

  /// The rows of a file. Remarks begin with `#`; the first two lines after them are the head.
  static func rows(of file: String) throws -> [DecisionRow] {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/decisions/\(file)")
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").enumerated()
      .filter { !$0.element.hasPrefix("#") }.dropFirst(2)
      .map { try DecisionRow(String($0.element), at: "\(file), row \($0.offset + 1)") }
  }

  init(_ line: String, at place: String) throws {
    let columns = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    guard columns.count == 10 else { throw Malformed(row: place, word: "\(columns.count) columns") }
    description = "\(place): \(columns.prefix(4).joined(separator: " | "))"
    expected = Decision(
      runsOn: columns[4], reason: columns[5], fallback: columns[6], againstLocal: columns[7],
      againstRemote: columns[8], deadEnd: columns[9])

    var situation = Situation()
    for (index, column) in columns.prefix(4).enumerated() {
      for word in column.split(separator: " ") where word != "-" {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        guard situation.read(parts[0], parts.count > 1 ? parts[1] : "", inColumn: index) else {
          throw Malformed(row: place, word: String(word))
        }
      }
    }
    policy = situation.policy
    facts = situation.facts
  }
}

extension DecisionRow.Decision {
  init(_ plan: RoutingPlan) {
    func codes(against side: Side) -> String {
      let codes = plan.checks.filter { $0.side == side && $0.excludes }.map(\.code.rawValue)
      return codes.isEmpty ? "-" : codes.joined(separator: " ")
    }
    self.init(
      runsOn: plan.ranOn?.rawValue ?? "-", reason: plan.reason?.code.rawValue ?? "-",
      fallback: plan.fallback?.rawValue ?? "-", againstLocal: codes(against: .local),
      againstRemote: codes(against: .remote),
      deadEnd: plan.noSideError.map {
        "\($0.code.rawValue)/\($0.noSideKind?.rawValue ?? "unknown")"
      } ?? "-")
  }
}

/// What the words of a row build up.
private struct Situation {
  var policy = RoutingPolicy()
  var facts = RoutingFacts(
    local: .ready(), remote: .available, now: .origin + .seconds(1000))

  /// - Returns: false for a word that the column does not know.
  mutating func read(_ word: String, _ value: String, inColumn column: Int) -> Bool {
    switch column {
    case 0: readPolicy(word, value)
    case 1: readRequest(word, value)
    case 2: readLocal(word, value)
    default: readRemote(word, value)
    }
  }

  private mutating func readPolicy(_ word: String, _ value: String) -> Bool {
    switch word {
    case "standIn": policy.localStandIns.append(value)
    case "reserve": policy.reservedOutputTokens = Int(value) ?? -1
    case "maxLocalWait": policy.maxLocalWait = seconds(value)
    case "allow": policy.tagsAllowedRemote.insert(SensitivityTag(rawValue: value))
    case "noFallback": policy.fallbackOnFailure = false
    default:
      guard let preference = Preference(rawValue: word) else { return false }
      policy.preference = preference
    }
    return true
  }

  private mutating func readRequest(_ word: String, _ value: String) -> Bool {
    switch word {
    case "prefer":
      facts.request.preference = Preference(rawValue: value)
      return facts.request.preference != nil
    case "tag": facts.request.tags.insert(SensitivityTag(rawValue: value))
    case "model": facts.request.model = value
    case "needs": facts.request.features.insert(Feature(rawValue: value))
    case "choices":
      facts.request.choices = Int(value) ?? -1
      facts.request.features.insert(.choices)
    case "max": facts.request.maxTokens = Int(value)
    case "deadline": facts.request.deadlineRemaining = seconds(value)
    case "off":
      guard let side = Side(rawValue: value) else { return false }
      facts.limits.switchedOff.insert(side)
    default: return false
    }
    return true
  }

  private mutating func readLocal(_ word: String, _ value: String) -> Bool {
    switch word {
    case "none": facts.local = nil
    case "ready": if !value.isEmpty { facts.local = .ready(model: value) }
    case "missing": facts.local = .inState(.missing, context: nil, promptTokens: nil)
    case "notLoaded": facts.local = .inState(.notLoaded)
    case "loading":
      facts.local = .inState(.loading(remaining: value == "?" ? nil : seconds(value)))
    case "failed":
      let until = value == "never" ? nil : facts.now + seconds(value)
      facts.local = .inState(.failed(.modelLoadFailed, until: until))
    case "unreadable":
      facts.local?.measurement = .unavailable(ModelFailure(.modelFileInvalid))
    case "rejected":
      facts.local?.measurement = .templateRejected(message: "roles must alternate", details: [:])
    case "prompt": facts.local?.measurement = .counted(Int(value) ?? -1)
    case "context": facts.local?.status?.contextLength = Int(value)
    case "can": facts.local?.status?.features.insert(Feature(rawValue: value))
    case "memory":
      let sizes = value.split(separator: "/").compactMap { Int($0) }
      guard sizes.count == 2 else { return false }
      facts.local?.status?.memory = MemoryNeed(needed: sizes[0], available: sizes[1])
    case "wait": facts.local?.status?.queue.expectedWait = seconds(value)
    case "full": facts.local?.status?.queue.depth = 64
    case "depth": facts.local?.status?.queue.depth = Int(value) ?? -1
    case "places": facts.local?.status?.queue.capacity = Int(value) ?? -1
    default: return false
    }
    return true
  }

  private mutating func readRemote(_ word: String, _ value: String) -> Bool {
    switch word {
    case "ok": facts.remote = .available
    case "none": facts.remote = nil
    case "lacks": facts.remote?.status?.lacks.insert(Feature(rawValue: value))
    case "noKey": facts.remote = .withoutCredentials
    case "limited":
      facts.remote = .inState(.coolingDown(.rateLimited, until: facts.now + seconds(value)))
    case "quota":
      facts.remote = .inState(.coolingDown(.quotaExhausted, until: facts.now + seconds(value)))
    case "offline": facts.remote = .inState(.offline(since: facts.now - seconds(value)))
    case "breaker":
      facts.remote = .inState(.breakerOpen(until: facts.now + seconds(value), failures: 5))
    default: return false
    }
    return true
  }
}

private func seconds(_ text: String) -> Duration {
  .seconds(Double(text) ?? -1)
}

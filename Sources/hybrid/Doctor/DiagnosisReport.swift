internal import HybridCore
internal import HybridLocal

/// A diagnosis as people read it.
enum DiagnosisReport {
  static func text(_ diagnosis: Diagnosis) -> String {
    let sections = [
      versions(diagnosis.versions), model(diagnosis.model), threads(diagnosis.threads),
      memory(diagnosis.memory), gateway(diagnosis.gateway), problems(diagnosis.problems),
    ]
    return sections.map { TerminalText.harmless($0) }.joined(separator: "\n\n") + "\n"
  }

  private static func section(_ title: String, _ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    let lines = rows.map { name, text in
      "  \(name)\(String(repeating: " ", count: width - name.count))  \(text)"
    }
    return ([title] + lines).joined(separator: "\n")
  }

  private static func versions(_ versions: Versions) -> String {
    section(
      "Installed",
      [
        ("hybrid", versions.sdk), ("llama.cpp", versions.llama ?? "none, built without LocalLlama"),
        ("libcurl", versions.curl), ("TLS", versions.tls ?? "none"),
      ])
  }

  private static func model(_ model: Diagnosis.Model?) -> String {
    guard let model else { return "Local model\n  none" }
    var rows = [("file", model.choice.path), ("chosen", source(model.choice.source))]
    if let header = model.header {
      let kind = [header.architecture, header.sizeLabel, header.quantization].compactMap(\.self)
      rows.append(("kind", kind.joined(separator: ", ")))
      rows.append(("size", Words.bytes(header.fileSize)))
      rows.append(("trained", "for \(header.shape.trainedContextLength) tokens at once"))
    }
    if let status = model.status {
      if let length = status.contextLength { rows.append(("context", "\(length) tokens")) }
      if let memory = status.memory {
        rows.append(
          (
            "memory",
            "needs \(Words.bytes(memory.needed)), \(Words.bytes(memory.available)) are available"
          ))
      }
    }
    return section("Local model", rows)
  }

  static func source(_ source: ModelChoice.Source) -> String {
    switch source {
    case .option: "by --local-model"
    case .environment: "by \(ModelChoice.variable)"
    case .found(let place): "first found, in \(place)"
    }
  }

  private static func threads(_ plan: ThreadPlan?) -> String {
    guard let plan else { return "Threads\n  unknown" }
    let budget = plan.budget
    var rows = [("decode", "\(plan.decode)"), ("prefill", "\(plan.prefill)")]
    rows.append(("allowed CPUs", "\(budget.allowed)"))
    if let affinity = budget.affinity { rows.append(("affinity", "\(affinity)")) }
    if let online = budget.online { rows.append(("online", "\(online)")) }
    for limit in budget.cpuSets { rows.append(("CPU set", "\(limit.cpus) (\(limit.file))")) }
    rows.append(
      ("cores", "\(budget.physicalCores)\(budget.coresAreGuessed ? " (guessed)" : "")"))
    rows.append(("logical CPUs", "\(budget.logicalCPUs)"))
    if !budget.efficiency.isEmpty { rows.append(("left out", "\(budget.efficiency): slow cores")) }
    if budget.quotas.isEmpty { rows.append(("quota", "none")) }
    for quota in budget.quotas {
      rows.append(("quota", "\(quota.cpus.rounded(to: 2)) CPUs (\(quota.file))"))
    }
    rows += budget.notes.map { ("note", "\($0)") }
    return section("Threads", rows)
  }

  private static func memory(_ budget: MemoryBudget) -> String {
    var rows: [(String, String)] = []
    let available = budget.availableBytes.map { Words.bytes($0) } ?? "unknown"
    switch budget.source {
    case .machine(let field): rows.append(("available", "\(available) (\(field))"))
    case .controlGroup(let file): rows.append(("available", "\(available) (limit in \(file))"))
    case .unknown: rows.append(("available", available))
    }
    if let machine = budget.machineBytes { rows.append(("machine", Words.bytes(machine))) }
    for limit in budget.groupLimits {
      rows.append(
        (
          "limit",
          "\(Words.bytes(limit.limitBytes)), \(Words.bytes(limit.usedBytes)) used of which "
            + "\(Words.bytes(limit.reclaimableBytes)) can be reclaimed (\(limit.file))"
        ))
    }
    rows += budget.notes.map { ("note", "\($0)") }
    return section("Memory", rows)
  }

  private static func gateway(_ gateway: Diagnosis.Gateway?) -> String {
    guard let gateway else { return "Gateway\n  none configured" }
    let key =
      switch gateway.status.credentials {
      case .notNeeded: "none configured"
      case .present: "present"
      case .missing(let source): "missing (\(source))"
      }
    return section(
      "Gateway",
      [
        ("address", gateway.status.origin), ("model", gateway.model ?? "the gateway's own choice"),
        ("key", key), ("reachable", "not asked"),
      ])
  }

  private static func problems(_ problems: [Diagnosis.Problem]) -> String {
    if problems.isEmpty { return "Nothing is wrong." }
    let lines = problems.map { problem in
      "  - \(problem.message) [\(problem.code.rawValue)]"
        + (problem.remedy.map { "\n    \(Words.sentence($0))" } ?? "")
    }
    return (["What is wrong"] + lines).joined(separator: "\n")
  }
}

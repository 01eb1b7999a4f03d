internal import HybridCore
internal import HybridLocal

/// A diagnosis as people read it: each number on a line, with where it comes from.
enum DiagnosisReport {
  static func text(_ diagnosis: Diagnosis) -> String {
    let sections = [
      versions(diagnosis.versions).text,
      diagnosis.model.map { model($0).text } ?? "Local model\n  none",
      diagnosis.outlook.flatMap { load($0, diagnosis.model)?.text }
        ?? diagnosis.model.flatMap { embedding($0, diagnosis.machine.memory)?.text },
      diagnosis.threads.map { ThreadReport.threads($0, diagnosis.outlook).text }
        ?? "Threads\n  unknown",
      ThreadReport.processors(diagnosis.machine).text,
      memory(diagnosis.machine.memory).text,
      diagnosis.gateway.map { gateway($0).text } ?? "Gateway\n  none configured",
      problems(diagnosis.problems),
    ]
    return sections.compactMap(\.self).map { TerminalText.harmless($0) }
      .joined(separator: "\n\n") + "\n"
  }

  private static func versions(_ versions: Versions) -> ReportTable {
    var table = ReportTable("Installed")
    table.add("hybrid", versions.sdk)
    table.add("llama.cpp", versions.llama ?? "none, built without LocalLlama")
    table.add("libcurl", versions.curl)
    table.add("TLS", versions.tls ?? "none")
    return table
  }

  private static func model(_ model: Diagnosis.Model) -> ReportTable {
    var table = ReportTable("Local model")
    table.add("file", model.choice.path)
    table.add("chosen", source(model.choice.source))
    if let header = model.header {
      let kind = [header.architecture, header.sizeLabel, header.quantization].compactMap(\.self)
      table.add("kind", kind.joined(separator: ", "))
      table.add("size", Words.bytes(header.fileSize))
      table.add("trained", "for \(header.shape.trainedContextLength) tokens at once")
      if let use = model.use { table.add("use", text(use)) }
      addWeights(&table, header, model.kernels, of: "file")
      addCopy(&table, model)
    }
    return table
  }

  private static func text(_ use: ModelUse) -> String {
    switch use {
    case .chat: "chat"
    case .embedding: "embeddings (hybrid embed); it does not chat"
    case .vocabulary: "counting tokens; it has no weights"
    default: "neither chat nor embeddings"
    }
  }

  /// Which formats the weights have, and whether this CPU is fast with them.
  ///
  /// - Parameter what: the rows tell of.
  private static func addWeights(
    _ table: inout ReportTable, _ header: GGUFHeader, _ kernels: FastKernels?, of what: String
  ) {
    let all = Double(max(1, header.matrixBytes.values.reduce(0, +)))
    func percent(_ share: Double) -> String { "\(Int((100 * share).rounded())) %" }
    let formats = header.matrixBytes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    table.add(
      "weights",
      formats.map { "\($0.key) \(percent(Double($0.value) / all))" }.joined(separator: ", "),
      from: "of the \(what)")
    guard let kernels else { return }
    let slow = formats.map(\.key).filter { kernels.kind(for: $0) == nil }
    table.add(
      "fast kernels", "for \(percent(kernels.share(of: header))) of the weights",
      from: slow.isEmpty
        ? "llama.cpp has them on this CPU"
        : "llama.cpp has none for \(slow.joined(separator: ", ")) on this CPU")
  }

  /// The copy that was tuned, and what it is made of where a load takes it.
  private static func addCopy(_ table: inout ReportTable, _ model: Diagnosis.Model) {
    switch model.tunedCopy {
    case .used(let format, let path):
      table.add(
        "copy", format,
        from: model.usesTunedCopy
          ? "in use, as --tuned asks: \(path)" : "not in use; --tuned would load \(path)")
      if let header = model.copyHeader { addWeights(&table, header, model.kernels, of: "copy") }
    case .absent(let reason):
      table.add(
        "copy", "none",
        from: model.usesTunedCopy ? "\(reason); --tuned loads the file itself" : reason)
    case nil: break
    }
  }

  static func source(_ source: ModelChoice.Source) -> String {
    switch source {
    case .option: "by --local-model"
    case .environment: "by \(ModelChoice.variable)"
    case .found(let place): "first found, in \(place)"
    }
  }

  /// - Returns: nil where there is no plan; the problems say why.
  private static func load(_ outlook: LocalOutlook, _ model: Diagnosis.Model?) -> ReportTable? {
    guard case .success(let plan) = outlook.load else { return nil }
    let isCopy = model?.copyHeader != nil
    var table = ReportTable(
      isCopy ? "A load would take, of the tuned copy" : "A load would take")
    table.add("context", "\(plan.contextLength) tokens", from: plan.source.text)
    table.add(
      "parallel requests", "\(plan.sharing.slots)", from: outlook.slotSource.text)
    table.add("total context", "\(plan.totalLength) tokens", from: plan.totalSource.text)
    if let bytes = outlook.prefixCacheBytes {
      table.add(
        "prefix cache", "up to \(Words.bytes(bytes))",
        from: outlook.prefixCacheLimit == nil
          ? "keys and values that running requests leave" : "set")
    }
    table.add(
      "memory needed", Words.bytes(plan.estimate.totalBytes), from: plan.estimate.parts)
    if let available = plan.availableBytes {
      table.add(
        "memory available", Words.bytes(available),
        from: plan.fits ? "enough" : "not enough: it would be refused")
    }
    return table
  }

  /// - Returns: nil for what is no embedding model.
  private static func embedding(
    _ model: Diagnosis.Model, _ memory: MemoryBudget
  ) -> ReportTable? {
    guard let plan = model.embeddingNeed(memory) else { return nil }
    var table = ReportTable("Embedding texts would take")
    table.add("longest text", "\(plan.contextLength) tokens")
    table.add("batch", "\(plan.batch) tokens")
    table.add("memory needed", Words.bytes(plan.estimate.totalBytes), from: plan.estimate.parts)
    if let need = plan.memoryNeed {
      table.add(
        "memory available", Words.bytes(need.available),
        from: need.needed <= need.available ? "enough" : "not enough: it would be refused")
    }
    return table
  }

  private static func memory(_ budget: MemoryBudget) -> ReportTable {
    var table = ReportTable("Memory")
    let available = budget.availableBytes.map { Words.bytes($0) } ?? "unknown"
    switch budget.source {
    case .machine(let field):
      table.add("available", available, from: "\(field) in /proc/meminfo")
    case .controlGroup(let file): table.add("available", available, from: "limit in \(file)")
    case .addressSpace:
      table.add("available", available, from: "address space (ulimit -v)")
    case .unknown: table.add("available", available)
    }
    if let machine = budget.machineBytes {
      table.add("machine", Words.bytes(machine), from: "all that it has available")
    }
    if budget.groupLimits.isEmpty { table.add("limit", "none", from: "control groups") }
    for limit in budget.groupLimits {
      table.add("limit", Words.bytes(limit.limitBytes), from: limit.file)
      table.add(
        "  used", Words.bytes(limit.usedBytes),
        from: "\(Words.bytes(limit.reclaimableBytes)) of it can be reclaimed")
    }
    if let limit = budget.addressSpace {
      table.add("address space", Words.bytes(limit.limitBytes), from: limit.file)
      table.add(
        "  used", Words.bytes(limit.usedBytes), from: "with what threads and malloc set aside")
    }
    for note in budget.notes { table.add("note", "\(note)") }
    return table
  }

  private static func gateway(_ gateway: Diagnosis.Gateway) -> ReportTable {
    let key =
      switch gateway.status.credentials {
      case .notNeeded: "none configured"
      case .present: "present"
      case .missing(let source): "missing (\(source))"
      }
    var table = ReportTable("Gateway")
    table.add("address", gateway.status.origin)
    table.add("model", gateway.model ?? "the gateway's own choice")
    table.add("key", key)
    table.add("reachable", "not asked")
    return table
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

extension LoadPlan.Source {
  var text: String {
    switch self {
    case .explicit: "--context"
    case .trained: "what the model was trained on"
    case .memory: "what memory allows"
    case .limit: "default limit"
    }
  }
}

extension LoadPlan.TotalSource {
  var text: String {
    switch self {
    case .explicit: "set"
    case .split: "each request has its own part"
    case .requests: "parallel requests times the context"
    case .limit: "default limit"
    case .oneRequest: "as much as one request may take"
    case .memory: "as much as one request may take: memory allows no more"
    }
  }
}

extension LocalOutlook.SlotSource {
  var text: String {
    switch self {
    case .explicit: "--parallel"
    case .deterministic: "--deterministic"
    case .cores: "four a core within the quota, 4 to 16"
    }
  }
}

extension MemoryEstimate {
  /// What the total is made of.
  fileprivate var parts: String {
    let named = [
      ("weights", weightBytes), ("vocabulary", vocabularyBytes), ("keys and values", keyValueBytes),
      ("recurrent state", recurrentBytes), ("compute", computeBytes), ("library", libraryBytes),
    ]
    return named.filter { $0.1 > 0 }.map { "\($0.0) \(Words.bytes($0.1))" }.joined(separator: ", ")
  }
}

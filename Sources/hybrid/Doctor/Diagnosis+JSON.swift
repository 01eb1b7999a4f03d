internal import HybridCore
internal import HybridLocal

extension Diagnosis {
  /// The object of `hybrid doctor --json`. Sizes are bytes.
  var json: JSONValue {
    [
      "canAnswer": .bool(canAnswer),
      "versions": versions.json,
      "localModel": model?.json ?? .null,
      "threads": threads?.json ?? .null,
      "memory": memory.json,
      "gateway": gateway?.json ?? .null,
      "problems": .array(
        problems.map { problem in
          [
            "code": .string(problem.code.rawValue), "message": .string(problem.message),
            "remedy": .optional(problem.remedy),
          ]
        }),
    ]
  }
}

extension Diagnosis.Model {
  fileprivate var json: JSONValue {
    [
      "path": .string(choice.path),
      "chosen": .string(DiagnosisReport.source(choice.source)),
      "name": .string(ModelName.stem(ofPath: choice.path)),
      "architecture": .optional(header?.architecture),
      "quantization": .optional(header?.quantization),
      "parameters": .optional(header.map { Int(clamping: $0.parameterCount) }),
      "size": .optional(header.map { Int(clamping: $0.fileSize) }),
      "trainedContextLength": .optional(header?.shape.trainedContextLength),
      "contextLength": .optional(status?.contextLength),
      "memory": status?.memory.map { memory in
        ["needed": .int(memory.needed), "available": .int(memory.available)]
      } ?? .null,
      "usable": .bool(isUsable),
    ]
  }
}

extension ThreadPlan {
  fileprivate var json: JSONValue {
    func json(_ count: ThreadCount) -> JSONValue {
      ["count": .int(count.count), "source": .string(count.sourceText)]
    }
    return [
      "decode": json(decode),
      "prefill": json(prefill),
      "allowedCPUs": .string("\(budget.allowed)"),
      "affinity": .optional(budget.affinity.map { "\($0)" }),
      "online": .optional(budget.online.map { "\($0)" }),
      "physicalCores": .int(budget.physicalCores),
      "coresAreGuessed": .bool(budget.coresAreGuessed),
      "logicalCPUs": .int(budget.logicalCPUs),
      "efficiencyCPUs": .string("\(budget.efficiency)"),
      "cpuSets": .array(
        budget.cpuSets.map { ["cpus": .string("\($0.cpus)"), "file": .string($0.file)] }),
      "quotas": .array(
        budget.quotas.map { ["cpus": .double($0.cpus), "file": .string($0.file)] }),
      "notes": .array(budget.notes.map { .string("\($0)") }),
    ]
  }
}

extension ThreadCount {
  /// Without the count, which stands beside it.
  fileprivate var sourceText: String {
    switch source {
    case .explicit: "--threads"
    case .environment(let name): name
    case .quota(let file): "quota in \(file)"
    case .physicalCores: "physical cores"
    case .logicalCPUs: "logical CPUs"
    case .cpusTakenForCores: "CPUs, the machine does not tell its cores"
    case .unknownMachine: "the machine does not tell its CPUs"
    }
  }
}

extension MemoryBudget {
  fileprivate var json: JSONValue {
    let sourceText =
      switch source {
      case .machine(let field): field
      case .controlGroup(let file): file
      case .unknown: "unknown"
      }
    return [
      "available": .optional(availableBytes.map { Int(clamping: $0) }),
      "source": .string(sourceText),
      "machine": .optional(machineBytes.map { Int(clamping: $0) }),
      "limits": .array(
        groupLimits.map { limit in
          [
            "file": .string(limit.file), "limit": .int(Int(clamping: limit.limitBytes)),
            "used": .int(Int(clamping: limit.usedBytes)),
            "reclaimable": .int(Int(clamping: limit.reclaimableBytes)),
            "headroom": .int(Int(clamping: limit.headroomBytes)),
          ]
        }),
      "notes": .array(notes.map { .string("\($0)") }),
    ]
  }
}

extension Diagnosis.Gateway {
  fileprivate var json: JSONValue {
    let credentials =
      switch status.credentials {
      case .notNeeded: "notNeeded"
      case .present: "present"
      case .missing: "missing"
      }
    return [
      "origin": .string(status.origin), "model": .optional(model),
      "credentials": .string(credentials),
    ]
  }
}

internal import HybridCore
internal import HybridLocal

extension Diagnosis {
  /// The object of `hybrid doctor --json`. Sizes are bytes.
  var json: JSONValue {
    [
      "canAnswer": .bool(canAnswer),
      "versions": versions.json,
      "localModel": model?.json ?? .null,
      "load": outlook?.loadJSON ?? .null,
      "threads": threads.map { $0.json(outlook) } ?? .null,
      "cpus": machine.cpuJSON,
      "memory": machine.memory.json,
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
      "weights": header.map { header in
        .object(
          header.matrixBytes.sorted { $0.key < $1.key }.reduce(into: JSONObject()) { object, row in
            object[row.key] = .int(Int(clamping: row.value))
          })
      } ?? .null,
      "fastKernelShare": header.flatMap { header in
        kernels.map { .double($0.share(of: header)) }
      } ?? .null,
      "use": .optional(use?.rawValue),
      "tunedCopy": copyJSON,
      "trainedContextLength": .optional(header?.shape.trainedContextLength),
      "contextLength": .optional(status?.contextLength),
      "memory": status?.memory.map { memory in
        ["needed": .int(memory.needed), "available": .int(memory.available)]
      } ?? .null,
      "usable": .bool(isUsable),
    ]
  }

  /// With what a load of it multiplies, where it takes it: the members above are the file's.
  private var copyJSON: JSONValue {
    guard case .object(var object)? = tunedCopy?.json else { return .null }
    let header = copyHeader
    object["inUse"] = .bool(header != nil)
    object["fastKernelShare"] =
      header.flatMap { header in kernels.map { .double($0.share(of: header)) } } ?? .null
    return .object(object)
  }
}

extension TunedCopyChoice {
  fileprivate var json: JSONValue {
    switch self {
    case .used(let format, let path):
      ["format": .string(format), "path": .string(path), "reason": .null]
    case .absent(let reason): ["format": .null, "path": .null, "reason": .string(reason)]
    }
  }
}

extension LocalOutlook {
  /// null where there is no plan; the problems say why.
  fileprivate var loadJSON: JSONValue {
    guard case .success(let plan) = load else { return .null }
    func json(_ value: Int, _ source: String) -> JSONValue {
      ["value": .int(value), "source": .string(source)]
    }
    let estimate = plan.estimate
    return [
      "contextLength": json(plan.contextLength, plan.source.text),
      "parallelRequests": json(plan.sharing.slots, slotSource.text),
      "totalContextLength": json(plan.totalLength, plan.totalSource.text),
      "prefixCacheBytes": .optional(prefixCacheBytes),
      "memory": [
        "needed": .int(estimate.totalBytes), "available": .optional(plan.availableBytes),
        "weights": .int(estimate.weightBytes), "vocabulary": .int(estimate.vocabularyBytes),
        "keysAndValues": .int(estimate.keyValueBytes), "recurrent": .int(estimate.recurrentBytes),
        "compute": .int(estimate.computeBytes), "library": .int(estimate.libraryBytes),
      ],
    ]
  }

  fileprivate var controllerJSON: JSONValue {
    ["on": .bool(control.isOn), "source": .string(control.text)]
  }

  fileprivate var tuningJSON: JSONValue {
    [
      "decode": .optional(tuning?.threads?.decode), "prefill": .optional(tuning?.threads?.prefill),
      "source": .string(tuningText), "store": .optional(store?.path),
      "storeState": .optional(store?.state.name), "willMeasure": .bool(measures),
    ]
  }
}

extension TuneStore.State {
  fileprivate var name: String {
    switch self {
    case .absent: "absent"
    case .readable: "readable"
    case .unreadable: "unreadable"
    case .damaged: "damaged"
    }
  }
}

extension ThreadPlan {
  /// The counts, what they are followed by, and the CPUs that they follow from.
  fileprivate func json(_ outlook: LocalOutlook?) -> JSONValue {
    func json(_ count: ThreadCount) -> JSONValue {
      ["count": .int(count.count), "source": .string(count.sourceText)]
    }
    return [
      "decode": json(decode),
      "prefill": json(prefill),
      "controller": outlook?.controllerJSON ?? .null,
      "tuned": outlook?.tuningJSON ?? .null,
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
        budget.quotas.map { quota in
          [
            "cpus": .double(quota.cpus), "quota": .seconds(.microseconds(quota.quotaMicroseconds)),
            "period": .seconds(.microseconds(quota.periodMicroseconds)),
            "file": .string(quota.file),
          ]
        }),
      "notes": .array(budget.notes.map { .string("\($0)") }),
    ]
  }
}

extension MachineReading {
  /// What the threads do not show: how the CPUs sit together, and how they fare now.
  fileprivate var cpuJSON: JSONValue {
    [
      "offline": .optional(budget.offline.map { "\($0)" }),
      "cores": .array(budget.cores.map { .string("\($0)") }),
      "efficiencyFile": .optional(budget.efficiencyFile),
      "controlGroups": .array(
        groups.map { group in
          [
            "controllers": .array(group.controllers.map { .string($0) }),
            "version": .string(group.group.version.rawValue), "path": .string(group.group.path),
            "folder": .optional(group.group.folder),
          ]
        }),
      "throttled": throttling.map { throttling in
        [
          "time": .seconds(throttling.throttledTime),
          "periods": .int(Int(clamping: throttling.throttledPeriods)),
        ]
      } ?? .null,
      "pressure": pressure.map { pressure in
        // Shares of the time, as in an answer's timings.
        [
          "last10Seconds": .double(pressure.average10Seconds / 100),
          "last60Seconds": .double(pressure.average60Seconds / 100),
          "last300Seconds": .double(pressure.average300Seconds / 100),
        ]
      } ?? .null,
    ]
  }
}

extension MemoryBudget {
  fileprivate var json: JSONValue {
    let sourceText =
      switch source {
      case .machine(let field): field
      case .controlGroup(let file): file
      case .addressSpace: "addressSpace"
      case .unknown: "unknown"
      }
    return [
      "available": .optional(availableBytes.map { Int(clamping: $0) }),
      "source": .string(sourceText),
      "machine": .optional(machineBytes.map { Int(clamping: $0) }),
      "limits": .array(
        (groupLimits + [addressSpace].compactMap(\.self)).map { limit in
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

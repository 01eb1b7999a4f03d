internal import HybridCore
internal import HybridLocal

/// The part of a diagnosis that tells of threads, and of the CPUs that they follow from.
enum ThreadReport {
  /// - Parameter outlook: nil where no model is found.
  static func threads(_ plan: ThreadPlan, _ outlook: LocalOutlook?) -> ReportTable {
    var table = ReportTable("Threads")
    table.add("decode", "\(plan.decode.count)", from: plan.decode.sourceText)
    table.add("prefill", "\(plan.prefill.count)", from: plan.prefill.sourceText)
    guard let outlook else { return table }
    table.add(
      "controller", outlook.control.isOn ? "on" : "off", from: outlook.control.text)
    let tuned = outlook.tuning?.threads.map { "\($0.decode) decode, \($0.prefill) prefill" }
    table.add("tuned", tuned ?? "nothing", from: outlook.tuningText)
    return table
  }

  static func processors(_ machine: MachineReading) -> ReportTable {
    let budget = machine.budget
    var table = ReportTable("CPUs")
    table.add(
      "logical", "\(budget.logicalCPUs)",
      from: budget.efficiency.isEmpty ? "those allowed" : "those allowed, without the slow ones")
    table.add(
      "cores", "\(budget.physicalCores)",
      from: budget.coresAreGuessed
        ? "guessed: the machine does not tell which CPUs share one" : "those under the logical ones"
    )
    table.add("allowed", "\(budget.allowed)", from: budget.allowedText)
    table.add(
      "affinity", budget.affinity.map { "\($0)" } ?? "unknown",
      from: "Cpus_allowed_list in /proc/thread-self/status")
    for limit in budget.cpuSets { table.add("CPU set", "\(limit.cpus)", from: limit.file) }
    if budget.cpuSets.isEmpty { table.add("CPU set", "none", from: "control groups") }
    table.add(
      "online", budget.online.map { "\($0)" } ?? "unknown", from: "/sys/devices/system/cpu/online")
    table.add(
      "offline", budget.offline.map { $0.isEmpty ? "none" : "\($0)" } ?? "unknown",
      from: "/sys/devices/system/cpu/present")
    let shared = budget.cores.filter { $0.count > 1 }
    table.add(
      "SMT siblings",
      budget.coresAreGuessed
        ? "unknown" : shared.isEmpty ? "none" : shared.map { "\($0)" }.joined(separator: " "),
      from: "/sys/devices/system/cpu/cpu*/topology")
    table.add(
      "slow cores", budget.efficiency.isEmpty ? "none" : "\(budget.efficiency)",
      from: budget.efficiencyFile ?? "/sys/devices: no CPU is told to be slower")
    if machine.groups.isEmpty { table.add("cgroup", "none", from: "/proc/self/cgroup") }
    for group in machine.groups {
      table.add(
        "cgroup \(group.controllers.joined(separator: ", "))",
        "\(group.group.version.rawValue), \(group.group.path)",
        from: group.group.folder ?? "not mounted")
    }
    if budget.quotas.isEmpty { table.add("quota", "none", from: "control groups") }
    for quota in budget.quotas {
      table.add(
        "quota",
        "\(quota.cpus.rounded(to: 2)) CPUs: \(quota.quotaMicroseconds) of "
          + "\(quota.periodMicroseconds) µs", from: quota.file)
    }
    table.add(
      "throttled",
      machine.throttling.map {
        "\(Words.duration($0.throttledTime)) in \($0.throttledPeriods) periods"
      } ?? "unknown", from: "cpu.stat of the control groups, since they were made")
    table.add(
      "CPU pressure",
      machine.pressure.map {
        "\($0.average10Seconds.rounded(to: 1)) % of 10 s, \($0.average60Seconds.rounded(to: 1)) % "
          + "of 60 s"
      } ?? "unknown", from: "some task waited, /proc/pressure/cpu")
    for note in budget.notes { table.add("note", "\(note)") }
    return table
  }
}

extension CPUBudget {
  var allowedText: String {
    switch base {
    case .affinity: "affinity, CPU sets and what is online"
    case .online: "CPU sets and what is online: the affinity is not told"
    case .unknown: "the machine does not tell its CPUs"
    }
  }
}

extension ThreadCount {
  /// Without the count, which stands beside it.
  var sourceText: String {
    switch source {
    case .explicit: "--threads"
    case .environment(let name): name
    case .tuned: "measured with this model"
    case .quota(let file): "quota in \(file)"
    case .physicalCores: "physical cores"
    case .logicalCPUs: "logical CPUs"
    case .cpusTakenForCores: "CPUs, the machine does not tell its cores"
    case .unknownMachine: "the machine does not tell its CPUs"
    }
  }
}

extension LocalOutlook.Control {
  var text: String {
    switch self {
    case .adaptive: "follows the load of the moment, up to these counts"
    case .set: "the count is set"
    case .deterministic: "--deterministic"
    case .oneThread: "there is one thread"
    }
  }
}

extension LocalOutlook {
  var tuningText: String {
    if let warning = tuning?.warning { return warning }
    let place = store.map { " in \($0.path)" } ?? ""
    if tuning?.threads != nil { return "remembered\(place)" }
    if threads.decode.source.isSetting { return "the count is set" }
    if measures { return "the next load would measure" }
    return "nothing is remembered\(place)"
  }
}

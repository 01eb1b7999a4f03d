/// The CPUs and the CPU time that this process may use, with every number looked at.
///
/// Read anew for each load: quotas change while a service runs.
package struct CPUBudget: Sendable, Hashable {
  /// Where the set of allowed CPUs was taken from before it was narrowed.
  package enum Base: Sendable, Hashable {
    case affinity
    /// The system did not tell the affinity: all CPUs that this file calls online.
    case online(file: String)
    /// The machine does not tell its CPUs.
    case unknown
  }

  package let base: Base
  /// The calling thread's affinity mask, nil when the machine does not tell.
  package let affinity: CPUList?
  /// The CPUs that are switched on.
  package let online: CPUList?
  /// Those that the machine has and that are switched off; nil where it does not tell.
  package let offline: CPUList?
  /// The CPU sets of the control groups, the process's own first.
  package let cpuSets: [CPUSetLimit]
  /// CPUs left after affinity, CPU sets and switched-off CPUs. Never empty.
  package let allowed: CPUList
  /// The quotas of the process's control group and its ancestors, the process's own first.
  package let quotas: [CPUQuota]
  /// The quota that binds: the smallest.
  package let quota: CPUQuota?
  /// Allowed CPUs on efficiency cores, dropped because a step waits for its slowest thread.
  package let efficiency: CPUList
  /// The file that told them apart.
  package let efficiencyFile: String?
  /// Cores under the CPUs that remain, each with all CPUs that share it, allowed or not.
  package let cores: [CPUList]
  /// How many those are.
  package var physicalCores: Int { cores.count }
  /// CPUs that remain: cores times the threads that each runs at once.
  package let logicalCPUs: Int
  /// True when the machine does not tell which CPUs share a core.
  package let coresAreGuessed: Bool
  /// Files that were left out because their text makes no sense, and limits that contradict.
  package let notes: [MachineNote]

  init(_ files: MachineFiles, affinity: CPUList?) {
    let limits = CPULimits(files, groups: ControlGroups(files))
    var notes = limits.notes

    let onlineFile = "/sys/devices/system/cpu/online"
    let onlineText = files.read(onlineFile)
    let online = onlineText.flatMap { CPUList(parsing: $0) }
    if onlineText != nil, online?.isEmpty ?? true {
      notes.append(MachineNote(file: onlineFile, problem: "not a list of CPUs"))
    }

    var allowed: CPUList
    if let affinity, !affinity.isEmpty {
      (base, allowed) = (.affinity, affinity)
    } else if let online, !online.isEmpty {
      (base, allowed) = (.online(file: onlineFile), online)
    } else {
      (base, allowed) = (.unknown, CPUList([0]))
    }

    let narrowings =
      (online.map { [CPUSetLimit(cpus: $0, file: onlineFile)] } ?? []) + limits.sets
    for narrowing in narrowings {
      let narrowed = allowed.intersection(narrowing.cpus)
      if narrowed.isEmpty {
        // A process runs somewhere, so a set that leaves nothing is a misreading.
        notes.append(
          MachineNote(file: narrowing.file, problem: "has no CPU of \(allowed): not applied"))
      } else {
        allowed = narrowed
      }
    }

    let topology = CPUTopology(files, allowed: allowed)
    self.affinity = affinity
    self.online = online
    offline = online.flatMap { online in
      files.read("/sys/devices/system/cpu/present").flatMap { CPUList(parsing: $0) }?
        .subtracting(online)
    }
    cpuSets = limits.sets
    self.allowed = allowed
    quotas = limits.quotas
    quota = limits.quota
    efficiency = topology.efficiency
    efficiencyFile = topology.efficiencyFile
    cores = topology.cores
    logicalCPUs = allowed.count - topology.efficiency.count
    coresAreGuessed = topology.coresAreGuessed
    self.notes = notes + topology.notes
  }
}

/// A file whose text could not be understood and was therefore left out of the reckoning.
package struct MachineNote: Sendable, Hashable, CustomStringConvertible {
  package let file: String
  package let problem: String

  package var description: String { "\(file): \(problem)" }
}

/// CPU time that a control group may use, as the kernel was told.
package struct CPUQuota: Sendable, Hashable {
  /// Microseconds of CPU time in each period, over all CPUs.
  package let quotaMicroseconds: Int
  package let periodMicroseconds: Int
  /// The file the quota came from: for version 1 the quota's, not the period's.
  package let file: String

  /// The quota in CPUs: 7.65 is seven CPUs and 65 % of another.
  package var cpus: Double { Double(quotaMicroseconds) / Double(periodMicroseconds) }

  /// Threads that fit: rounded down, at least 1.
  ///
  /// One thread too many throttles all of them, because they wait for one another at each step.
  ///
  ///     quota 7.65 ▸ 7     quota 2 ▸ 2     quota 0.5 ▸ 1
  package var threads: Int { max(1, quotaMicroseconds / periodMicroseconds) }
}

/// CPUs that a control group may use.
package struct CPUSetLimit: Sendable, Hashable {
  package let cpus: CPUList
  package let file: String
}

/// What the control groups allow: every quota and CPU set on the way up.
struct CPULimits {
  private(set) var quotas: [CPUQuota] = []
  private(set) var sets: [CPUSetLimit] = []
  private(set) var notes: [MachineNote] = []

  init(_ files: MachineFiles, groups: ControlGroups) {
    for folder in groups.folders(for: "cpu") {
      switch folder.version {
      case .v2: readMax(files, folder.path + "/cpu.max")
      case .v1: readQuota(files, folder.path)
      }
    }
    for folder in groups.folders(for: "cpuset") {
      switch folder.version {
      case .v2: readSet(files, [folder.path + "/cpuset.cpus.effective"])
      case .v1:
        readSet(files, [folder.path + "/cpuset.effective_cpus", folder.path + "/cpuset.cpus"])
      }
    }
  }

  /// The quota that binds: the smallest.
  var quota: CPUQuota? { quotas.min { $0.cpus < $1.cpus } }

  /// Version 2: `max 100000` or `200000 100000`.
  private mutating func readMax(_ files: MachineFiles, _ file: String) {
    guard let text = files.read(file) else { return }
    let fields = text.split(whereSeparator: \.isWhitespace)
    if fields.first == "max" { return }
    guard fields.count == 2, let quota = Int(fields[0]), let period = Int(fields[1]),
      quota > 0, period > 0
    else { return notes.append(MachineNote(file: file, problem: "not a quota and a period")) }
    quotas.append(CPUQuota(quotaMicroseconds: quota, periodMicroseconds: period, file: file))
  }

  /// Version 1: two files; −1 is no quota.
  private mutating func readQuota(_ files: MachineFiles, _ folder: String) {
    let file = folder + "/cpu.cfs_quota_us"
    guard let text = files.read(file) else { return }
    guard let quota = Int(text.trimmingBlanks), quota == -1 || quota > 0 else {
      return notes.append(MachineNote(file: file, problem: "not a quota in microseconds"))
    }
    if quota == -1 { return }
    let periodFile = folder + "/cpu.cfs_period_us"
    guard let period = Int((files.read(periodFile) ?? "").trimmingBlanks), period > 0 else {
      return notes.append(MachineNote(file: periodFile, problem: "not a period in microseconds"))
    }
    quotas.append(CPUQuota(quotaMicroseconds: quota, periodMicroseconds: period, file: file))
  }

  /// The first of the files that says something; an empty set is a group that was never set up.
  private mutating func readSet(_ files: MachineFiles, _ candidates: [String]) {
    for file in candidates {
      guard let text = files.read(file) else { continue }
      guard let cpus = CPUList(parsing: text) else {
        notes.append(MachineNote(file: file, problem: "not a list of CPUs"))
        continue
      }
      if cpus.isEmpty { continue }
      return sets.append(CPUSetLimit(cpus: cpus, file: file))
    }
  }
}

/// How the allowed CPUs sit on cores: which share one, and which are the slow kind.
struct CPUTopology {
  /// CPUs on efficiency cores. Empty when all allowed CPUs are of that kind.
  let efficiency: CPUList
  /// What told the slow cores from the fast ones.
  let efficiencyFile: String?
  /// Cores under the remaining CPUs, each with all CPUs that share it, whether they are allowed or
  /// not; in the order of their first ones.
  let cores: [CPUList]
  /// True when the machine does not tell which CPUs share a core, so that each counts as one.
  let coresAreGuessed: Bool
  let notes: [MachineNote]

  private static let devices = "/sys/devices"

  init(_ files: MachineFiles, allowed: CPUList) {
    var notes: [MachineNote] = []
    let slow = Self.efficiencyCPUs(files, allowed: allowed, notes: &notes)
    efficiency = slow.cpus
    efficiencyFile = slow.file

    var cores: Set<CPUList> = []
    var told = false
    for cpu in allowed.subtracting(slow.cpus).cpus {
      let siblings = Self.siblings(files, of: cpu, notes: &notes)
      told = told || siblings != nil
      cores.insert(siblings ?? CPUList([cpu]))
    }
    self.cores = cores.sorted { ($0.cpus.first ?? 0) < ($1.cpus.first ?? 0) }
    coresAreGuessed = !told
    self.notes = notes
  }

  /// The CPUs that share the CPU's core, itself among them.
  private static func siblings(
    _ files: MachineFiles, of cpu: Int, notes: inout [MachineNote]
  ) -> CPUList? {
    // thread_siblings_list is the older name of core_cpus_list; newer kernels have both.
    for name in ["core_cpus_list", "thread_siblings_list"] {
      let file = "\(devices)/system/cpu/cpu\(cpu)/topology/\(name)"
      guard let text = files.read(file) else { continue }
      if let list = CPUList(parsing: text), list.cpus.contains(cpu) { return list }
      notes.append(MachineNote(file: file, problem: "not a list of CPUs that holds CPU \(cpu)"))
    }
    return nil
  }

  /// The slow CPUs among the allowed ones.
  ///
  /// Threads of one step wait for the slowest, so a slow core holds the fast ones back. Intel's
  /// hybrid processors list their slow cores; on Arm each CPU has a capacity, 1,024 for the
  /// fastest of the machine. Clusters of "big" cores below the "prime" ones reach 600 to 870,
  /// little ones 250 to 530, so below 60 % of the fastest allowed CPU counts as slow.
  private static func efficiencyCPUs(
    _ files: MachineFiles, allowed: CPUList, notes: inout [MachineNote]
  ) -> (cpus: CPUList, file: String?) {
    for file in ["\(devices)/cpu_atom/cpus", "\(devices)/cpu_lowpower/cpus"] {
      guard let text = files.read(file) else { continue }
      guard let list = CPUList(parsing: text) else {
        notes.append(MachineNote(file: file, problem: "not a list of CPUs"))
        continue
      }
      let slow = allowed.intersection(list)
      if !slow.isEmpty, slow != allowed { return (slow, file) }
    }

    var capacities: [Int: Int] = [:]
    for cpu in allowed.cpus {
      let file = "\(devices)/system/cpu/cpu\(cpu)/cpu_capacity"
      guard let text = files.read(file) else { continue }
      guard let capacity = Int(text.trimmingBlanks), (1...(1 << 20)).contains(capacity) else {
        notes.append(MachineNote(file: file, problem: "not a capacity"))
        continue
      }
      capacities[cpu] = capacity
    }
    let fastest = capacities.values.max() ?? 0
    let slow = CPUList(capacities.filter { $0.value * 10 < fastest * 6 }.keys)
    return slow.isEmpty
      ? (slow, nil) : (slow, "\(devices)/system/cpu/cpu\(slow.cpus[0])/cpu_capacity")
  }
}

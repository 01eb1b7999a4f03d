/// Memory that this process may still take, with every number looked at.
package struct MemoryBudget: Sendable, Hashable {
  /// What a control group leaves.
  package struct GroupLimit: Sendable, Hashable {
    /// The file that holds the limit.
    package let file: String
    package let limitBytes: UInt64
    package let usedBytes: UInt64
    /// Cached file pages that the kernel gives up first; they count as used until then.
    package let reclaimableBytes: UInt64

    /// limit − used + reclaimable, never below 0 nor above the limit.
    package var headroomBytes: UInt64 {
      let kept = usedBytes > reclaimableBytes ? usedBytes - reclaimableBytes : 0
      return limitBytes > kept ? limitBytes - kept : 0
    }
  }

  /// What the smallest number came from.
  package enum Source: Sendable, Hashable {
    /// MemAvailable, or MemFree + Cached on kernels that do not have it.
    case machine(field: String)
    case controlGroup(file: String)
    /// Nothing could be read, so nothing can be refused.
    case unknown
  }

  /// Bytes that may be taken; nil when the machine does not tell.
  package let availableBytes: UInt64?
  package let source: Source
  /// What the machine as a whole has available.
  package let machineBytes: UInt64?
  /// Every limit on the way up, the process's own group first.
  package let groupLimits: [GroupLimit]
  package let notes: [MachineNote]

  init(_ files: MachineFiles) {
    var notes: [MachineNote] = []
    let machine = Self.machine(files, notes: &notes)
    var limits: [GroupLimit] = []
    for folder in ControlGroups(files).folders(for: "memory") {
      limits += Self.limits(files, folder, notes: &notes)
    }

    let tightest = limits.min { $0.headroomBytes < $1.headroomBytes }
    if let tightest, tightest.headroomBytes < machine?.bytes ?? .max {
      availableBytes = tightest.headroomBytes
      source = .controlGroup(file: tightest.file)
    } else if let machine {
      availableBytes = machine.bytes
      source = .machine(field: machine.field)
    } else {
      availableBytes = nil
      source = .unknown
    }
    machineBytes = machine?.bytes
    groupLimits = limits
    self.notes = notes
  }

  private static func machine(
    _ files: MachineFiles, notes: inout [MachineNote]
  ) -> (bytes: UInt64, field: String)? {
    let file = "/proc/meminfo"
    guard let text = files.read(file) else { return nil }
    var kibibytes: [Substring: UInt64] = [:]
    for line in text.split(separator: "\n") {
      let fields = line.split { $0.isWhitespace || $0 == ":" }
      if fields.count >= 2 { kibibytes[fields[0]] = UInt64(fields[1]) }
    }
    func bytes(_ value: UInt64) -> UInt64 {
      let (bytes, overflow) = value.multipliedReportingOverflow(by: 1024)
      return overflow ? .max : bytes
    }
    if let available = kibibytes["MemAvailable"] { return (bytes(available), "MemAvailable") }
    if let free = kibibytes["MemFree"] {
      let (sum, overflow) = free.addingReportingOverflow(kibibytes["Cached"] ?? 0)
      return (bytes(overflow ? .max : sum), "MemFree + Cached")
    }
    notes.append(MachineNote(file: file, problem: "has neither MemAvailable nor MemFree"))
    return nil
  }

  /// The limits of one group.
  ///
  /// `memory.high` counts like `memory.max`: beyond it nobody is killed, but the kernel slows the
  /// process down until its pages are gone, and weights that are paged in for every token never
  /// are. The older soft limit binds only when the whole machine is short, and does not count.
  private static func limits(
    _ files: MachineFiles, _ folder: ControlGroups.Folder, notes: inout [MachineNote]
  ) -> [GroupLimit] {
    let names: (limits: [String], used: String, reclaimable: String) =
      switch folder.version {
      case .v2: (["memory.max", "memory.high"], "memory.current", "inactive_file")
      case .v1: (["memory.limit_in_bytes"], "memory.usage_in_bytes", "total_inactive_file")
      }
    var found: [GroupLimit] = []
    for name in names.limits {
      let file = "\(folder.path)/\(name)"
      guard let text = files.read(file)?.trimmingBlanks, text != "max" else { continue }
      guard let limit = UInt64(text) else {
        notes.append(MachineNote(file: file, problem: "not a number of bytes"))
        continue
      }
      // Version 1 has no word for "no limit": it shows the largest multiple of a page.
      if limit >= 1 << 60 { continue }
      let usedFile = "\(folder.path)/\(names.used)"
      let used = files.read(usedFile).flatMap { UInt64($0.trimmingBlanks) }
      if used == nil { notes.append(MachineNote(file: usedFile, problem: "not a number of bytes")) }
      let statistics = files.read("\(folder.path)/memory.stat") ?? ""
      found.append(
        GroupLimit(
          file: file, limitBytes: limit, usedBytes: used ?? 0,
          reclaimableBytes: statistics.keyedNumber(names.reclaimable) ?? 0))
    }
    return found
  }
}

extension String {
  /// The number after a name in the kernel's flat `name number` files.
  func keyedNumber(_ name: String) -> UInt64? {
    for line in split(separator: "\n") {
      let fields = line.split(whereSeparator: \.isWhitespace)
      if fields.count == 2, fields[0] == name { return UInt64(fields[1]) }
    }
    return nil
  }
}

/// Memory that this process may still take, with every number looked at.
package struct MemoryBudget: Sendable, Hashable {
  /// What a limit leaves.
  package struct Limit: Sendable, Hashable {
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
    /// The process's own limit (`ulimit -v`).
    case addressSpace
    /// Nothing could be read, so nothing can be refused.
    case unknown
  }

  /// Bytes that may be taken; nil when the machine does not tell.
  package let availableBytes: UInt64?
  package let source: Source
  /// What the machine as a whole has available.
  package let machineBytes: UInt64?
  /// The control groups' limits on the way up, the process's own group first.
  package let groupLimits: [Limit]
  /// The process's limit on its address space; nil where there is none.
  package let addressSpace: Limit?
  package let notes: [MachineNote]

  init(_ files: MachineFiles) {
    var notes: [MachineNote] = []
    let machine = Self.machine(files, notes: &notes)
    var limits: [Limit] = []
    for folder in ControlGroups(files).folders(for: "memory") {
      limits += Self.limits(files, folder, notes: &notes)
    }

    let addressSpace = Self.addressSpace(files)

    let tightest = limits.min { $0.headroomBytes < $1.headroomBytes }
    let headroom = min(tightest?.headroomBytes ?? .max, machine?.bytes ?? .max)
    if let addressSpace, addressSpace.headroomBytes < headroom {
      availableBytes = addressSpace.headroomBytes
      source = .addressSpace
    } else if let tightest, tightest.headroomBytes < machine?.bytes ?? .max {
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
    self.addressSpace = addressSpace
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

  /// Address space that no model gets: stacks of 8 MiB, and 64 MiB that glibc's malloc sets aside for
  /// each of the first threads that allocate.
  private static let setAside: UInt64 = 256 << 20

  private static func addressSpace(_ files: MachineFiles) -> Limit? {
    let file = "/proc/self/limits"
    guard
      let line = files.read(file)?.split(separator: "\n").first(where: {
        $0.hasPrefix("Max address space ")
      }),
      let limit = line.split(whereSeparator: \.isWhitespace).dropFirst(3).first.flatMap({
        UInt64($0)
      })
    else { return nil }
    let size = files.read("/proc/self/status")?.split(separator: "\n").first {
      $0.hasPrefix("VmSize:")
    }
    let kibibytes = size?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap {
      UInt64($0)
    }
    let (used, overflow) = (kibibytes ?? 0).multipliedReportingOverflow(by: 1024)
    let (kept, tooMuch) = used.addingReportingOverflow(setAside)
    return Limit(
      file: file, limitBytes: limit, usedBytes: overflow || tooMuch ? .max : kept,
      reclaimableBytes: 0)
  }

  /// The limits of one group.
  ///
  /// `memory.high` counts like `memory.max`: beyond it nobody is killed, but the kernel slows the
  /// process down until its pages are gone, and weights that are paged in for every token never
  /// are. The older soft limit binds only when the whole machine is short, and does not count.
  private static func limits(
    _ files: MachineFiles, _ folder: ControlGroups.Folder, notes: inout [MachineNote]
  ) -> [Limit] {
    let names: (limits: [String], used: String, reclaimable: String) =
      switch folder.version {
      case .v2: (["memory.max", "memory.high"], "memory.current", "inactive_file")
      case .v1: (["memory.limit_in_bytes"], "memory.usage_in_bytes", "total_inactive_file")
      }
    var found: [Limit] = []
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
        Limit(
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

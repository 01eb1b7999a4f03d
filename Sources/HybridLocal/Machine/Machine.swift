/// The machine as the engine sees it: CPUs, memory and what limits them.
///
/// Nothing is kept: each call reads anew (about 0.2 ms), since quotas and neighbours change. A file
/// that is absent or malformed never fails a reading; the result says what was left out.
package struct Machine: Sendable {
  /// `/proc` and `/sys`.
  package let files: MachineFiles
  /// The CPUs that the process may run on, where they are not to be read from the files.
  package let affinity: CPUList?

  package init(files: MachineFiles, affinity: CPUList? = nil) {
    self.files = files
    self.affinity = affinity
  }

  /// The machine whose `/proc` and `/sys` stand under a root folder; `/` is this machine.
  package init(root: String) {
    self.init(files: .real(root: root))
  }

  /// This machine.
  #if os(Linux)
    package static let current = Machine(root: "/")
  #else
    package static let current = Machine(files: .real(), affinity: systemOnlineCPUs())
  #endif

  package func cpuBudget() -> CPUBudget {
    CPUBudget(files, affinity: affinity ?? Self.affinity(files))
  }

  /// - Parameter tuned: counts that were measured; they hold under the CPUs and the quota that they
  ///   were measured with.
  package func threadPlan(
    _ settings: ThreadSettings = .none, tuned: TunedThreads? = nil
  ) -> ThreadPlan {
    let budget = cpuBudget()
    return ThreadPlan(budget: budget, settings: settings, tuned: tuned?.counts(under: budget))
  }

  package func controlGroups() -> ControlGroups { ControlGroups(files) }

  package func memoryBudget() -> MemoryBudget { MemoryBudget(files) }

  package func throttling() -> CPUThrottling? { CPUThrottling(files) }

  package func pressure(_ resource: Pressure.Resource) -> Pressure? { Pressure(files, resource) }

  /// The calling thread's affinity mask, which the engine's threads inherit.
  ///
  /// The kernel prints the mask that sched_getaffinity(2) returns; the call itself is a GNU
  /// extension that Swift does not import. Kernels before 3.17 have no `thread-self`.
  private static func affinity(_ files: MachineFiles) -> CPUList? {
    for file in ["/proc/thread-self/status", "/proc/self/status"] {
      for line in (files.read(file) ?? "").split(separator: "\n") {
        let fields = line.split(separator: ":")
        if fields.count == 2, fields[0] == "Cpus_allowed_list" {
          return CPUList(parsing: String(fields[1]))
        }
      }
    }
    return nil
  }
}

/// A machine written down: the files of `/proc` and `/sys` that the reader asks for.
///
/// Its text form is one entry a file, short ones on one line and long ones indented below:
///
///     # Two cores in a container with a quota of 1.5 CPUs.
///     /sys/devices/system/cpu/online: 0-1
///     /proc/self/status:
///       Name: service
///       Cpus_allowed_list: 0-1
package struct MachineTree: Sendable, Hashable {
  /// Absolute paths and their texts.
  package var files: [String: String]

  package init(files: [String: String] = [:]) {
    self.files = files
  }

  /// The tree that a text describes; nil when a line is neither an entry, indented nor a remark.
  package init?(parsing text: String) {
    files = [:]
    var current: String?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("  "), let path = current {
        files[path, default: ""] += line.dropFirst(2) + "\n"
      } else if line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) {
        continue
      } else if line.hasPrefix("/"), let colon = line.firstRange(of: ": ") {
        current = nil
        files[String(line[..<colon.lowerBound])] = line[colon.upperBound...] + "\n"
      } else if line.hasPrefix("/"), line.hasSuffix(":") {
        let path = String(line.dropLast())
        files[path] = ""
        current = path
      } else {
        return nil
      }
    }
  }

  /// A plain machine: cores of equal speed, optionally a quota and a memory limit (cgroup v2).
  ///
  /// - Parameters:
  ///   - cores: physical cores, at least 1.
  ///   - threadsPerCore: 2 where each core runs two threads.
  ///   - quota: CPUs' worth of time, such as 1.5; nil for no limit.
  ///   - availableMemoryBytes: what the machine as a whole has available.
  ///   - memoryLimitBytes: the control group's limit, of which nothing is used yet.
  package init(
    cores: Int, threadsPerCore: Int = 1, quota: Double? = nil,
    availableMemoryBytes: UInt64 = 8 << 30, memoryLimitBytes: UInt64? = nil
  ) {
    let count = max(1, cores) * max(1, threadsPerCore)
    let all = CPUList(0..<count)
    files = [
      "/proc/meminfo": "MemAvailable: \(availableMemoryBytes / 1024) kB\n",
      "/proc/self/cgroup": "0::/\n",
      "/proc/self/mountinfo":
        "30 25 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n",
      "/proc/thread-self/status": "Cpus_allowed_list:\t\(all)\n",
      "/sys/devices/system/cpu/online": "\(all)\n",
    ]
    for cpu in all.cpus {
      // Linux numbers the first thread of every core before the second ones.
      let siblings = CPUList(stride(from: cpu % max(1, cores), to: count, by: max(1, cores)))
      files["/sys/devices/system/cpu/cpu\(cpu)/topology/core_cpus_list"] = "\(siblings)\n"
    }
    if let quota, quota.isFinite {
      files["/sys/fs/cgroup/cpu.max"] = "\(Int(min(max(quota, 0.01), 8192) * 100_000)) 100000\n"
    }
    if let memoryLimitBytes {
      files["/sys/fs/cgroup/memory.max"] = "\(memoryLimitBytes)\n"
      files["/sys/fs/cgroup/memory.current"] = "0\n"
    }
  }

  /// A machine that reads this tree.
  package var machine: Machine { Machine(files: .tree(files)) }
}

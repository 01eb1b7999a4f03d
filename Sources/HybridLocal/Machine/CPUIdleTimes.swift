private import HybridCore

/// Time that CPUs have stood idle since the machine started.
package struct CPUIdleTimes: Sendable, Hashable {
  /// Added up over the CPUs.
  package let idle: Duration

  package init(idle: Duration) {
    self.idle = idle
  }

  /// The `idle` and `iowait` columns of `/proc/stat`, in hundredths of a second; nil where none of the
  /// CPUs is listed.
  init?(_ files: MachineFiles, cpus: CPUList) {
    guard let text = files.read("/proc/stat") else { return nil }
    var ticks: Int64 = 0
    var found = false
    for line in text.split(separator: "\n") {
      // The CPUs come first: what follows may be long.
      guard line.hasPrefix("cpu") else { break }
      let fields = line.split(separator: " ")
      guard fields.count > 5, let cpu = Int(fields[0].dropFirst(3)), cpus.cpus.contains(cpu),
        let idle = Int64(fields[4]), let waiting = Int64(fields[5]), idle >= 0, waiting >= 0
      else { continue }
      found = true
      ticks = ticks &+ idle &+ waiting
    }
    guard found else { return nil }
    idle = .milliseconds(ticks.multipliedReportingOverflow(by: 10).partialValue)
  }

  /// Time that the counters need to say something.
  package static let shortest = Duration.milliseconds(40)

  /// CPUs idle on average since an earlier reading; nil after less than ``shortest``, or when the
  /// counters ran backwards.
  package func idleCPUs(since earlier: CPUIdleTimes, elapsed: Duration) -> Double? {
    guard elapsed >= Self.shortest, idle >= earlier.idle else { return nil }
    return (idle - earlier.idle).inSeconds / elapsed.inSeconds
  }
}

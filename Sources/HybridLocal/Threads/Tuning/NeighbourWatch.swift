package import HybridCore

/// Finds out how many CPUs other work took while something was measured.
///
///     neighbours = CPUs − idle − own
///
/// A quota that stops the own threads leaves their CPUs idle, so it counts as no neighbour.
package struct NeighbourWatch: Sendable {
  private let files: MachineFiles
  private let cpus: CPUList
  private var started: (at: Moment, own: Duration, idle: CPUIdleTimes)?
  private var elapsed = Duration.zero
  private var taken = Duration.zero

  /// - Parameter cpus: those that the process may use, ``CPUBudget/allowed``.
  package init(_ files: MachineFiles, cpus: CPUList) {
    self.files = files
    self.cpus = cpus
  }

  /// - Parameter computeTime: CPU time of the threads measured so far; nil where it is not known.
  package mutating func begin(at now: Moment, computeTime: Duration?) {
    started = computeTime.flatMap { own in
      CPUIdleTimes(files, cpus: cpus).map { (now, own, $0) }
    }
  }

  package mutating func end(at now: Moment, computeTime: Duration?) {
    guard let started, let own = computeTime, let idle = CPUIdleTimes(files, cpus: cpus),
      now > started.at, idle.idle >= started.idle.idle
    else { return }
    elapsed += now - started.at
    taken += (now - started.at) * cpus.count - (idle.idle - started.idle.idle) - (own - started.own)
  }

  /// Time that has to be measured before it says something: the kernel counts in hundredths.
  package static let shortest = Duration.milliseconds(500)

  /// CPUs that other work took on average, where that is enough to spoil a measurement: a quarter of
  /// one, and a tenth of all. nil where it is not, or the machine does not tell.
  package var crowding: Double? {
    guard elapsed >= Self.shortest else { return nil }
    let share = taken.inSeconds / elapsed.inSeconds
    return share > max(0.25, 0.1 * Double(cpus.count)) ? share : nil
  }
}

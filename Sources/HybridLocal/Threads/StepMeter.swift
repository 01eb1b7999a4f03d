package import HybridCore

/// Turns the readings around a step into the sample that the ``ThreadController`` asks for.
///
/// Costs nothing but subtractions, and every eighth step below the ceiling one read of `/proc/stat`
/// (about 30 µs on a small machine).
package struct StepMeter: Sendable {
  private let files: MachineFiles
  /// Those whose idle times are read.
  package private(set) var cpus: CPUList
  private var started: (at: Moment, computeTime: Duration?)?
  private var idleBase: (times: CPUIdleTimes, at: Moment)?
  /// Time spent in steps since then.
  private var busy = Duration.zero

  /// - Parameter cpus: those that the process may use, ``CPUBudget/allowed``.
  package init(files: MachineFiles, cpus: CPUList) {
    self.files = files
    self.cpus = cpus
  }

  /// The process may use these from now on. Where they are others than before, what was read of those
  /// says nothing.
  package mutating func watch(_ cpus: CPUList) {
    if cpus == self.cpus { return }
    self.cpus = cpus
    idleBase = nil
  }

  /// - Parameter computeTime: CPU time of the step's threads so far; nil where it is not known.
  package mutating func begin(at now: Moment, computeTime: Duration?) {
    started = (now, computeTime)
  }

  /// The sample of the step that began last.
  package mutating func end(
    _ shape: StepShape, threads: Int, at now: Moment, computeTime: Duration?,
    idleWatch: IdleCPUWatch
  ) -> StepSample {
    let (start, before) = started ?? (now, nil)
    let wall = now - start
    busy += wall
    return StepSample(
      shape: shape, threads: threads, wall: wall,
      cpu: before.flatMap { before in computeTime.map { $0 - before } },
      idleCPUs: idleCPUs(idleWatch, at: now))
  }

  private mutating func idleCPUs(_ watch: IdleCPUWatch, at now: Moment) -> Double? {
    if watch == .off {
      idleBase = nil
      return nil
    }
    if let idleBase {
      let elapsed = now - idleBase.at
      guard watch == .due, elapsed >= CPUIdleTimes.shortest else { return nil }
      // Where the engine itself rested for most of the time, its own CPUs stood idle too.
      if elapsed <= busy * 2, let times = CPUIdleTimes(files, cpus: cpus) {
        self.idleBase = (times, now)
        busy = .zero
        return times.idleCPUs(since: idleBase.times, elapsed: elapsed)
      }
    }
    idleBase = CPUIdleTimes(files, cpus: cpus).map { ($0, now) }
    busy = .zero
    return nil
  }
}

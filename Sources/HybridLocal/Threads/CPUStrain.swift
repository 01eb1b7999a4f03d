package import HybridCore

/// What the machine's other work took from an answer: readings at its start and at its end.
package struct CPUStrain: Sendable, Hashable {
  private let throttling: CPUThrottling?
  /// Time in which some task waited for a CPU.
  private let waiting: Duration?
  private let started: Moment

  /// Reads `cpu.stat` of the control groups and `/proc/pressure/cpu`: about 0.1 ms.
  package init(_ machine: Machine, at now: Moment) {
    throttling = machine.throttling()
    waiting = machine.pressure(.cpu)?.total
    started = now
  }

  package struct Result: Sendable, Hashable {
    /// Time that quotas kept this process waiting, added up over CPUs; nil without a quota's counters.
    package var throttled: Duration?
    /// The share of the time, 0…1, in which some task of the machine waited for a CPU; nil where the
    /// kernel does not keep it.
    package var pressure: Double?

    package init(throttled: Duration? = nil, pressure: Double? = nil) {
      self.throttled = throttled
      self.pressure = pressure
    }
  }

  /// What happened since this reading.
  package func result(_ machine: Machine, at now: Moment) -> Result {
    let end = CPUStrain(machine, at: now)
    let elapsed = now - started
    var result = Result()
    if let before = throttling, let after = end.throttling {
      result.throttled = after.since(before).throttledTime
    }
    if let before = waiting, let after = end.waiting, after >= before, elapsed > .zero {
      result.pressure = min(1, (after - before).inSeconds / elapsed.inSeconds)
    }
    return result
  }
}

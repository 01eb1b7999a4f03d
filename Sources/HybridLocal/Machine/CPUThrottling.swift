/// How often the quota of the control groups stopped this process so far.
///
/// Counters since the groups were made; the difference of two readings is what an answer cost.
package struct CPUThrottling: Sendable, Hashable {
  /// Periods in which a group had used up its quota.
  package let throttledPeriods: UInt64
  /// Time that its threads were kept waiting, added up over CPUs.
  package let throttledTime: Duration

  package static let none = CPUThrottling(throttledPeriods: 0, throttledTime: .zero)

  package init(throttledPeriods: UInt64, throttledTime: Duration) {
    self.throttledPeriods = throttledPeriods
    self.throttledTime = throttledTime
  }

  /// The sum over the group and its ancestors, each of which may throttle; nil without any.
  init?(_ files: MachineFiles) {
    var periods: UInt64 = 0
    var time = Duration.zero
    var found = false
    for folder in ControlGroups(files).folders(for: "cpu") {
      guard let text = files.read(folder.path + "/cpu.stat"),
        let throttled = text.keyedNumber("nr_throttled")
      else { continue }
      found = true
      periods &+= throttled
      switch folder.version {
      case .v2: time += .microseconds(text.keyedNumber("throttled_usec") ?? 0)
      case .v1: time += .nanoseconds(Int64(clamping: text.keyedNumber("throttled_time") ?? 0))
      }
    }
    guard found else { return nil }
    self.init(throttledPeriods: periods, throttledTime: time)
  }

  /// What happened since an earlier reading; none when the counters started anew in between.
  package func since(_ earlier: CPUThrottling) -> CPUThrottling {
    guard throttledPeriods >= earlier.throttledPeriods, throttledTime >= earlier.throttledTime
    else { return .none }
    return CPUThrottling(
      throttledPeriods: throttledPeriods - earlier.throttledPeriods,
      throttledTime: throttledTime - earlier.throttledTime)
  }
}

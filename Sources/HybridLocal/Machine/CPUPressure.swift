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

/// What the machine is short of, as the kernel measures it.
package struct Pressure: Sendable, Hashable {
  package enum Resource: String, Sendable { case cpu, memory, io }

  /// Shares of time, 0…100 %, in which at least one task waited for the resource.
  package let average10Seconds: Double
  package let average60Seconds: Double
  package let average300Seconds: Double
  /// All such time since the machine started.
  package let total: Duration

  /// The `some` line of `/proc/pressure/…`; nil when the kernel does not keep it.
  init?(_ files: MachineFiles, _ resource: Resource) {
    guard let text = files.read("/proc/pressure/\(resource.rawValue)"),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("some ") })
    else { return nil }
    var values: [Substring: Substring] = [:]
    for field in line.split(separator: " ").dropFirst() {
      let pair = field.split(separator: "=")
      if pair.count == 2 { values[pair[0]] = pair[1] }
    }
    func share(_ name: Substring) -> Double? {
      values[name].flatMap { Double($0) }.flatMap { (0...100).contains($0) ? $0 : nil }
    }
    guard let ten = share("avg10"), let sixty = share("avg60"), let long = share("avg300"),
      let total = values["total"].flatMap({ Int64($0) })
    else { return nil }
    average10Seconds = ten
    average60Seconds = sixty
    average300Seconds = long
    self.total = .microseconds(total)
  }
}

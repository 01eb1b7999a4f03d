import HybridLocal
import Testing

@Suite struct MemoryBudgetTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let machine: String
    let available: UInt64?
    let source: MemoryBudget.Source
    let limits: Int
    var testDescription: String { machine }
  }

  static let mebibyte: UInt64 = 1 << 20

  @Test(arguments: [
    // 1 GiB − 512 MiB used + 128 MiB that can be reclaimed.
    Row(
      machine: "v2", available: 640 * mebibyte,
      source: .controlGroup(file: "/sys/fs/cgroup/memory.max"), limits: 1),
    // The slice: memory.high of 3 GiB is tighter than memory.max of 4 GiB; 1 GiB is used.
    Row(
      machine: "v2-nested", available: 2048 * mebibyte,
      source: .controlGroup(file: "/sys/fs/cgroup/system.slice/work.slice/memory.high"),
      limits: 3),
    // 512 MiB − 256 MiB used + 64 MiB, the total of the group and its children.
    Row(
      machine: "v1", available: 320 * mebibyte,
      source: .controlGroup(file: "/sys/fs/cgroup/memory/memory.limit_in_bytes"), limits: 1),
    // Version 1's way to say "no limit".
    Row(
      machine: "v1-ancestor", available: 2048 * mebibyte,
      source: .machine(field: "MemAvailable"), limits: 0),
    Row(
      machine: "hybrid", available: 256 * mebibyte,
      source: .controlGroup(file: "/mnt/memory tree/jobs/memory.limit_in_bytes"), limits: 1),
    Row(
      machine: "no-cgroup", available: 1500 * mebibyte,
      source: .machine(field: "MemFree + Cached"), limits: 0),
    Row(machine: "malformed", available: nil, source: .unknown, limits: 0),
    Row(machine: "empty", available: nil, source: .unknown, limits: 0),
  ])
  func `the tightest limit counts`(row: Row) throws {
    let budget = try fixtureMachine(row.machine).machine.memoryBudget()
    #expect(budget.availableBytes == row.available)
    #expect(budget.source == row.source)
    #expect(budget.groupLimits.count == row.limits)
  }

  @Test func `a wide limit leaves the machine's own memory as the bound`() {
    let tree = MachineTree(cores: 1, availableMemoryBytes: 1 << 30, memoryLimitBytes: 1 << 40)
    #expect(tree.machine.memoryBudget().availableBytes == 1 << 30)
    #expect(tree.machine.memoryBudget().source == .machine(field: "MemAvailable"))
  }

  @Test(arguments: [
    (limit: 100, used: 40, reclaimable: 10, headroom: 70),
    (limit: 100, used: 140, reclaimable: 10, headroom: 0),
    (limit: 100, used: 40, reclaimable: 90, headroom: 100),
    (limit: 0, used: 0, reclaimable: 0, headroom: 0),
  ])
  func `headroom stays between nothing and the limit`(
    limit: UInt64, used: UInt64, reclaimable: UInt64, headroom: UInt64
  ) {
    var tree = MachineTree(cores: 1, memoryLimitBytes: limit)
    tree.files["/sys/fs/cgroup/memory.current"] = "\(used)\n"
    tree.files["/sys/fs/cgroup/memory.stat"] = "inactive_file \(reclaimable)\n"
    #expect(tree.machine.memoryBudget().availableBytes == headroom)
  }

  @Test func `numbers at the edge of the word do not trap`() {
    var tree = MachineTree(cores: 1)
    tree.files["/proc/meminfo"] = "MemAvailable: 18446744073709551615 kB\n"
    #expect(tree.machine.memoryBudget().availableBytes == .max)
    tree.files["/proc/meminfo"] = "MemFree: 18446744073709551615 kB\nCached: 5 kB\n"
    #expect(tree.machine.memoryBudget().availableBytes == .max)
  }

  /// As `ulimit -v` of 1 GiB leaves it, and the 256 MiB that no model gets.
  @Test(arguments: [
    (limit: "1073741824", size: "VmSize:\t  262144 kB", available: 512 * mebibyte),
    (limit: "1073741824", size: "VmSize:\t 1048576 kB", available: 0),
    (limit: "1073741824", size: "VmSize:\t 18446744073709551615 kB", available: 0),
    (limit: "1073741824", size: "VmSize: none", available: 768 * mebibyte),
    (limit: "9000000000000", size: "VmSize:\t 262144 kB", available: 8192 * mebibyte),
    (limit: "unlimited", size: "VmSize:\t 262144 kB", available: 8192 * mebibyte),
  ])
  func `the process's own limit on its address space counts`(
    limit: String, size: String, available: UInt64
  ) {
    var tree = MachineTree(cores: 1)
    tree.files["/proc/self/limits"] = """
      Limit                     Soft Limit           Hard Limit           Units
      Max data size             4096                 unlimited            bytes
      Max address space         \(limit)           unlimited            bytes
      """
    tree.files["/proc/self/status"] = "Name:\tservice\n\(size)\n"
    let budget = tree.machine.memoryBudget()
    #expect(budget.availableBytes == available)
    #expect((budget.source == .addressSpace) == (available < 8192 * Self.mebibyte))
  }

  @Test func `senseless numbers are named`() throws {
    let notes = try fixtureMachine("malformed").machine.memoryBudget().notes
    #expect(notes.map(\.file) == ["/proc/meminfo", "/sys/fs/cgroup/a/memory.max"])
  }
}

@Suite struct CPUPressureTests {
  @Test(
    arguments: [
      ("v2", CPUThrottling(throttledPeriods: 31, throttledTime: .milliseconds(52))),
      ("v2-nested", CPUThrottling(throttledPeriods: 5, throttledTime: .microseconds(4_500))),
      ("v1", CPUThrottling(throttledPeriods: 7, throttledTime: .microseconds(3_500))),
      ("malformed", nil),
      ("no-cgroup", nil),
    ] as [(String, CPUThrottling?)])
  func `throttling is added up over the groups`(name: String, throttling: CPUThrottling?) throws {
    #expect(try fixtureMachine(name).machine.throttling() == throttling)
  }

  @Test func `the difference of two readings is what happened between`() {
    let before = CPUThrottling(throttledPeriods: 5, throttledTime: .milliseconds(10))
    let after = CPUThrottling(throttledPeriods: 7, throttledTime: .milliseconds(25))
    #expect(
      after.since(before)
        == CPUThrottling(throttledPeriods: 2, throttledTime: .milliseconds(15)))
    #expect(before.since(after) == .none)
  }

  @Test func `pressure is read where the kernel keeps it`() throws {
    let pressure = try #require(try fixtureMachine("v2").machine.pressure(.cpu))
    #expect(pressure.average10Seconds == 12.5)
    #expect(pressure.average60Seconds == 3.25)
    #expect(pressure.average300Seconds == 0.75)
    #expect(pressure.total == .seconds(9))
    #expect(try fixtureMachine("v2").machine.pressure(.memory) == nil)
    #expect(try fixtureMachine("malformed").machine.pressure(.cpu) == nil)
  }
}

import Foundation
import HybridLocal
import Testing

@Suite struct CPUBudgetTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let machine: String
    let decode: ThreadCount
    let prefill: ThreadCount
    let allowed: String
    let physical: Int
    var efficiency = ""
    var quota: Double?
    var testDescription: String { machine }
  }

  static let v1Pod = "/sys/fs/cgroup/cpu/kubepods/pod7/cpu.cfs_quota_us"
  static let slice = "/sys/fs/cgroup/system.slice/work.slice/cpu.max"
  static let root = "/sys/fs/cgroup/cpu.max"

  static let rows = [
    Row(
      machine: "v2", decode: ThreadCount(2, .quota(file: root)),
      prefill: ThreadCount(2, .quota(file: root)), allowed: "0-7", physical: 8, quota: 2.5),
    Row(
      machine: "v2-nested", decode: ThreadCount(7, .quota(file: slice)),
      prefill: ThreadCount(7, .quota(file: slice)), allowed: "0-11", physical: 12, quota: 7.65),
    Row(
      machine: "v1",
      decode: ThreadCount(1, .quota(file: "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us")),
      prefill: ThreadCount(1, .quota(file: "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us")),
      allowed: "0-3", physical: 4, quota: 1.5),
    Row(
      machine: "v1-ancestor", decode: ThreadCount(1, .quota(file: v1Pod)),
      prefill: ThreadCount(1, .quota(file: v1Pod)), allowed: "2-5", physical: 4, quota: 0.5),
    Row(
      machine: "hybrid",
      decode: ThreadCount(3, .quota(file: "/sys/fs/cgroup/cpu/jobs/cpu.cfs_quota_us")),
      prefill: ThreadCount(3, .quota(file: "/sys/fs/cgroup/cpu/jobs/cpu.cfs_quota_us")),
      allowed: "0-3", physical: 4, quota: 3),
    Row(
      machine: "namespaced", decode: ThreadCount(2, .quota(file: root)),
      prefill: ThreadCount(2, .quota(file: root)), allowed: "0-3", physical: 4, quota: 2),
    Row(
      machine: "no-cgroup", decode: ThreadCount(2, .physicalCores),
      prefill: ThreadCount(2, .logicalCPUs), allowed: "0-1", physical: 2),
    Row(
      machine: "offline", decode: ThreadCount(5, .physicalCores),
      prefill: ThreadCount(5, .logicalCPUs), allowed: "0-1,4-5,7", physical: 5),
    Row(
      machine: "smt", decode: ThreadCount(4, .physicalCores),
      prefill: ThreadCount(8, .logicalCPUs), allowed: "0-7", physical: 4),
    Row(
      machine: "smt-pinned", decode: ThreadCount(2, .physicalCores),
      prefill: ThreadCount(3, .logicalCPUs), allowed: "0-1,4", physical: 2),
    Row(
      machine: "smt-quota", decode: ThreadCount(4, .physicalCores),
      prefill: ThreadCount(6, .quota(file: root)), allowed: "0-7", physical: 4, quota: 6.5),
    Row(
      machine: "big-little", decode: ThreadCount(4, .physicalCores),
      prefill: ThreadCount(4, .logicalCPUs), allowed: "0-7", physical: 4, efficiency: "0-3"),
    Row(
      machine: "big-little-pinned", decode: ThreadCount(4, .physicalCores),
      prefill: ThreadCount(4, .logicalCPUs), allowed: "0-3", physical: 4),
    Row(
      machine: "intel-hybrid", decode: ThreadCount(2, .physicalCores),
      prefill: ThreadCount(4, .logicalCPUs), allowed: "0-7", physical: 2, efficiency: "4-7"),
    Row(
      machine: "cpuset", decode: ThreadCount(2, .physicalCores),
      prefill: ThreadCount(2, .logicalCPUs), allowed: "4-5", physical: 2),
    Row(
      machine: "malformed", decode: ThreadCount(4, .cpusTakenForCores),
      prefill: ThreadCount(4, .logicalCPUs), allowed: "0-3", physical: 4),
    Row(
      machine: "empty", decode: ThreadCount(1, .unknownMachine),
      prefill: ThreadCount(1, .unknownMachine), allowed: "0", physical: 1),
  ]

  @Test(arguments: rows)
  func `each machine gets the threads that fit it`(row: Row) throws {
    let plan = try fixtureMachine(row.machine).machine.threadPlan()
    #expect(plan.decode == row.decode)
    #expect(plan.prefill == row.prefill)
    #expect(plan.budget.allowed.description == row.allowed)
    #expect(plan.budget.physicalCores == row.physical)
    #expect(plan.budget.efficiency.description == row.efficiency)
    #expect(plan.budget.quota?.cpus == row.quota)
  }

  @Test func `every fixture machine stands in the table`() throws {
    #expect(try fixtureMachineNames() == Self.rows.map(\.machine).sorted())
  }

  @Test func `files that make no sense are named`() throws {
    let budget = try fixtureMachine("malformed").machine.cpuBudget()
    #expect(
      Set(budget.notes.map(\.file)) == [
        "/sys/devices/system/cpu/online",
        "/sys/fs/cgroup/cpu.max",
        "/sys/fs/cgroup/a/cpu.max",
        "/sys/fs/cgroup/cpuset.cpus.effective",
        "/sys/fs/cgroup/a/cpuset.cpus.effective",
        "/sys/devices/cpu_atom/cpus",
        "/sys/devices/system/cpu/cpu0/topology/core_cpus_list",
        "/sys/devices/system/cpu/cpu1/topology/core_cpus_list",
        "/sys/devices/system/cpu/cpu0/cpu_capacity",
        "/sys/devices/system/cpu/cpu1/cpu_capacity",
      ])
  }

  @Test func `no other machine leaves a note`() throws {
    for name in try fixtureMachineNames() where name != "malformed" {
      #expect(try fixtureMachine(name).machine.cpuBudget().notes.isEmpty, "\(name)")
    }
  }

  @Test func `a given affinity wins over the files`() throws {
    let files = try MachineFiles.tree(fixtureMachine("smt").files)
    let budget = Machine(files: files, affinity: CPUList([2, 6])).cpuBudget()
    #expect(budget.allowed.description == "2,6")
    #expect(budget.physicalCores == 1)
    #expect(budget.logicalCPUs == 2)
  }

  @Test func `without an affinity the CPUs that are online count`() {
    let tree = MachineTree(files: ["/sys/devices/system/cpu/online": "0-2\n"])
    #expect(tree.machine.cpuBudget().base == .online(file: "/sys/devices/system/cpu/online"))
    #expect(tree.machine.threadPlan().prefill == ThreadCount(3, .logicalCPUs))
  }

  @Test func `a plain machine is built from its numbers`() {
    let plan = MachineTree(cores: 4, threadsPerCore: 2, quota: 5.9).machine.threadPlan()
    #expect(plan.decode == ThreadCount(4, .physicalCores))
    #expect(plan.prefill == ThreadCount(5, .quota(file: Self.root)))
  }

  @Test(arguments: [
    (765_000, 100_000, 7), (50_000, 100_000, 1), (200_000, 100_000, 2), (199_999, 100_000, 1),
    (1_000, 1_000_000, 1), (6_400_000, 100_000, 64),
  ])
  func `a quota is rounded down but never to nothing`(quota: Int, period: Int, threads: Int) {
    var tree = MachineTree(cores: 64)
    tree.files["/sys/fs/cgroup/cpu.max"] = "\(quota) \(period)\n"
    #expect(tree.machine.cpuBudget().quota?.threads == threads)
    #expect(tree.machine.threadPlan().decode.count == threads)
  }

  @Test func `a quota that changes is seen at the next reading`() {
    var tree = MachineTree(cores: 8, quota: 6)
    #expect(tree.machine.threadPlan().decode.count == 6)
    tree.files["/sys/fs/cgroup/cpu.max"] = "max 100000\n"
    #expect(tree.machine.threadPlan().decode == ThreadCount(8, .physicalCores))
  }

  @Test func `the real reader finds the same in a folder`() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "machine-\(UUID())")
    defer { try? FileManager.default.removeItem(at: root) }
    let tree = try fixtureMachine("v2-nested")
    for (path, text) in tree.files {
      let file = root.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let machine = Machine(root: root.path)
    #expect(machine.cpuBudget() == tree.machine.cpuBudget())
    #expect(machine.memoryBudget() == tree.machine.memoryBudget())
    #expect(machine.throttling() == tree.machine.throttling())
  }

  #if os(Linux)
    @Test func `this machine tells its own affinity`() {
      let budget = Machine.current.cpuBudget()
      #expect(budget.base == .affinity)
      #expect((1...8192).contains(budget.allowed.count))
      #expect(budget.physicalCores <= budget.logicalCPUs)
      #expect(Machine.current.memoryBudget().availableBytes ?? 0 > 0)
    }
  #endif
}

@Suite struct MachineDetailTests {
  @Test(
    arguments: [
      ("smt", "0,4 1,5 2,6 3,7"), ("smt-pinned", "0,4 1,5"), ("offline", "0 1 4 5 7"),
      ("v1", "0 1 2 3"),
    ])
  func `each core has the CPUs that share it`(name: String, cores: String) throws {
    let budget = try fixtureMachine(name).machine.cpuBudget()
    #expect(budget.cores.map { "\($0)" }.joined(separator: " ") == cores)
  }

  @Test func `CPUs that are switched off are told where the machine tells all that it has`() throws
  {
    #expect(try fixtureMachine("offline").machine.cpuBudget().offline == CPUList([2, 3, 6]))
    #expect(try fixtureMachine("smt").machine.cpuBudget().offline == nil)
  }

  @Test(
    arguments: [
      ("v2", "cpu", .v2, "/", "/sys/fs/cgroup"),
      (
        "v2-nested", "cpu", .v2, "/system.slice/work.slice/chat.service",
        "/sys/fs/cgroup/system.slice/work.slice/chat.service"
      ),
      ("hybrid", "cpu", .v1, "/jobs", "/sys/fs/cgroup/cpu/jobs"),
      ("hybrid", "memory", .v1, "/jobs", "/mnt/memory tree/jobs"),
      ("hybrid", "cpuset", .v1, "/", "/sys/fs/cgroup/cpuset"),
      ("namespaced", "cpu", .v2, "/../sibling", "/sys/fs/cgroup"),
    ] as [(String, String, ControlGroups.Version, String, String)])
  func `the group that binds a controller is told`(
    name: String, controller: String, version: ControlGroups.Version, path: String, folder: String
  ) throws {
    let group = try fixtureMachine(name).machine.controlGroups().group(for: controller)
    #expect(group == ControlGroups.Group(version: version, path: path, folder: folder))
  }

  @Test func `a machine without control groups has none`() throws {
    #expect(try fixtureMachine("no-cgroup").machine.controlGroups().group(for: "cpu") == nil)
  }
}

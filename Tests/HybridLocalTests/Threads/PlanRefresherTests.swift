import HybridCore
import HybridLocal
import Testing

@Suite struct PlanRefresherTests {
  private func machine(_ quota: Double?) -> Machine {
    MachineTree(cores: 8, quota: quota).machine
  }

  private func refresher(_ quota: Double?, _ settings: ThreadSettings = .none) -> PlanRefresher {
    PlanRefresher(
      plan: machine(quota).threadPlan(settings), settings: settings, at: .origin,
      interval: .seconds(5))
  }

  @Test func `it reads when the interval is over and not before`() {
    var refresher = refresher(4)
    #expect(!refresher.isDue(at: .origin + .milliseconds(4_999)))
    #expect(refresher.refresh(from: machine(2), at: .origin + .milliseconds(4_999)) == nil)
    #expect(refresher.isDue(at: .origin + .seconds(5)))
    #expect(refresher.refresh(from: machine(2), at: .origin + .seconds(5)) != nil)
    #expect(!refresher.isDue(at: .origin + .seconds(9)))
  }

  @Test(
    arguments: [
      (4.0, 2.5, 2), (2.0, 6.0, 6), (2.0, nil, 8), (nil, 0.5, 1), (7.65, 7.2, nil), (nil, nil, nil),
      (4.0, 100.0, 8),
    ] as [(Double?, Double?, Int?)])
  func `a quota lowered or raised while running changes the counts`(
    before: Double?, after: Double?, expected: Int?
  ) {
    var refresher = refresher(before)
    let change = refresher.refresh(from: machine(after), at: .origin + .seconds(6))
    #expect(change?.counts == expected.map { ThreadCounts(decode: $0, prefill: $0) })
    #expect(refresher.plan == machine(after).threadPlan())
  }

  @Test func `a change names both plans with their sources`() throws {
    var refresher = refresher(4)
    let found = refresher.refresh(from: machine(2), at: .origin + .seconds(6))
    let change = try #require(found)
    #expect(change.from.decode.count == 4)
    #expect(
      change.to.decode.description == "2 (CPU quota in /sys/fs/cgroup/cpu.max, rounded down)")
  }

  @Test func `cgroups of both versions and their ancestors are read again`() throws {
    for (name, file, text, count) in [
      ("v2", "/sys/fs/cgroup/cpu.max", "100000 100000\n", 1),
      ("v1", "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "300000\n", 3),
    ] {
      var tree = try fixtureMachine(name)
      let plan = tree.machine.threadPlan()
      var refresher = PlanRefresher(plan: plan, settings: .none, at: .origin)
      #expect(refresher.refresh(from: tree.machine, at: .origin + .seconds(60)) == nil)
      try #require(tree.files[file] != nil, "\(name) has no \(file)")
      tree.files[file] = text
      let change = refresher.refresh(from: tree.machine, at: .origin + .seconds(120))
      #expect(change?.counts == ThreadCounts(decode: count, prefill: count), "\(name)")
    }
  }

  @Test func `tuned counts hold under the quota that they were measured with`() {
    let subject = TuneSubject(model: "m", processor: "p")
    var tuned = TunedThreads(subject: subject)
    tuned.remember(ThreadCounts(decode: 3, prefill: 5), under: machine(6).cpuBudget())
    tuned.remember(ThreadCounts(decode: 1, prefill: 2), under: machine(2).cpuBudget())
    var refresher = PlanRefresher(
      plan: machine(6).threadPlan(tuned: tuned), settings: .none, tuned: tuned, at: .origin)
    #expect(refresher.plan.decode == ThreadCount(3, .tuned))
    #expect(refresher.plan.prefill == ThreadCount(5, .tuned))
    var found: [ThreadCounts?] = []
    for (place, quota) in [6.0, 4, 2, 6].enumerated() {
      let now = Moment.origin + .seconds(10 * (place + 1))
      found.append(refresher.refresh(from: machine(quota), at: now)?.counts)
    }
    #expect(
      found == [
        nil, ThreadCounts(decode: 4, prefill: 4), ThreadCounts(decode: 1, prefill: 2),
        ThreadCounts(decode: 3, prefill: 5),
      ])
  }

  @Test func `a count set by hand never changes`() throws {
    var refresher = refresher(4, try ThreadSettings(decode: 3, environment: [:]))
    #expect(refresher.refresh(from: machine(1), at: .origin + .seconds(6)) == nil)
  }

  @Test func `a machine that cannot be read for a moment keeps its plan`() {
    var refresher = refresher(4)
    let unreadable = MachineTree().machine
    #expect(refresher.refresh(from: unreadable, at: .origin + .seconds(6)) == nil)
    #expect(refresher.plan.decode.count == 4)
    #expect(refresher.refresh(from: machine(2), at: .origin + .seconds(12))?.counts.decode == 2)
  }
}

import HybridCore
import HybridLocal
import Testing

@Suite struct ThreadControllerTests {
  /// Cores and busy neighbours.
  struct Load: Sendable, CustomTestStringConvertible {
    let cores: Int
    let neighbours: Int
    var testDescription: String { "\(neighbours) beside \(cores) cores" }
  }

  static let loads = [
    (2, 0), (2, 1), (2, 2), (3, 1), (4, 0), (4, 1), (4, 3), (8, 2), (8, 7), (16, 5), (64, 0),
    (64, 1), (64, 10), (64, 40),
  ].map { Load(cores: $0.0, neighbours: $0.1) }

  private func run(
    _ load: Load, seed: UInt64 = 1, change: (inout SimulatedMachine) -> Void = { _ in }
  ) -> SimulatedRun {
    var machine = SimulatedMachine(cores: load.cores, seed: seed)
    machine.neighbours = load.neighbours
    change(&machine)
    return SimulatedRun(
      machine, ceilings: ThreadCounts(decode: load.cores, prefill: load.cores))
  }

  @Test(arguments: loads, 1...5 as ClosedRange<UInt64>)
  func `it stays near the best count beside any number of neighbours`(load: Load, seed: UInt64) {
    var run = run(load, seed: seed)
    run.steps(48)
    run.startMeasuring()
    run.steps(600)
    #expect(run.efficiency >= 0.95, "\(run.efficiency) \(run.threads)")
    #expect(run.threads.allSatisfy { (1...load.cores).contains($0) })
  }

  @Test(arguments: loads)
  func `48 steps suffice to find it`(load: Load) {
    var run = run(load)
    run.steps(48)
    run.startMeasuring()
    run.steps(8)
    #expect(run.efficiency >= 0.9, "\(run.efficiency) \(run.threads)")
  }

  /// Where the system tells neither the threads' CPU time nor idle CPUs, only trying finds out, and
  /// a search over many threads takes its time.
  static let smallLoads = loads.filter { $0.cores <= 4 }

  @Test(arguments: smallLoads, [(false, false), (false, true), (true, false)])
  func `where little but the wall clock can be read it still does`(
    load: Load, tells: (cpuTime: Bool, idle: Bool)
  ) {
    var run = run(load) {
      $0.tellsCPUTime = tells.cpuTime
      $0.tellsIdleCPUs = tells.idle
      $0.neighbours = 0
    }
    run.steps(100)
    run.machine.neighbours = load.neighbours
    run.steps(100)
    run.startMeasuring()
    run.steps(1_000)
    #expect(run.efficiency >= 0.8, "\(run.efficiency) \(run.threads)")
  }

  @Test(arguments: loads.map { ($0, true) } + smallLoads.map { ($0, false) })
  func `after the neighbours stop it is soon back at full speed`(load: Load, tellsIdle: Bool) {
    for wait in stride(from: 60, to: 120, by: 3) {
      var run = run(load, seed: UInt64(wait)) { $0.tellsIdleCPUs = tellsIdle }
      run.steps(wait)
      run.machine.neighbours = 0
      // Where idle CPUs are not told, it has to try in the dark: one trial may come just too early.
      run.steps(tellsIdle ? 32 : 56)
      run.startMeasuring()
      run.steps(16)
      #expect(run.efficiency >= 0.96, "\(wait): \(run.efficiency) \(run.threads)")
    }
  }

  @Test(arguments: [2, 4, 64], [0.05, 0.2, 0.4])
  func `noise alone neither moves it nor costs it two percent`(cores: Int, noise: Double) {
    var run = run(Load(cores: cores, neighbours: 0)) { $0.noise = noise }
    run.steps(4_000)
    #expect(run.controller.changes <= 8, "\(run.controller.changes) changes")
    #expect(run.efficiency >= 0.98, "\(run.efficiency)")
  }

  @Test(arguments: loads.filter { $0.neighbours > 0 })
  func `beside steady neighbours it settles`(load: Load) {
    var run = run(load) { $0.noise = 0.2 }
    run.steps(100)
    let before = run.controller.changes
    run.steps(2_000)
    #expect(run.controller.changes - before <= 8, "\(run.threads)")
  }

  @Test(arguments: [10, 30, 100, 300], [1, 2])
  func `neighbours that come and go cost little more than they must`(period: Int, count: Int) {
    var run = run(Load(cores: 2, neighbours: 0))
    var fixed = [0.0, 0.0]
    for cycle in 0..<(6_000 / period) {
      run.machine.neighbours = cycle % 2 == 0 ? 0 : count
      for threads in 1...2 {
        fixed[threads - 1] +=
          run.machine.meanSeconds(StepShape(generated: 1), threads: threads) * Double(period)
      }
      run.machine.depth = 0
      run.steps(period)
    }
    #expect(run.seconds <= min(fixed[0], fixed[1]) * 1.15, "\(run.seconds) \(fixed)")
  }

  @Test(arguments: loads)
  func `steps of all sizes are compared with their like`(load: Load) {
    var run = run(load)
    func mixed(_ count: Int) {
      for place in 0..<count {
        let isChunk = place % 7 < 2
        run.step(StepShape(generated: 1 + place / 40 % 6, prompt: isChunk ? 64 : 0))
      }
    }
    mixed(80)
    run.startMeasuring()
    mixed(800)
    #expect(run.efficiency >= 0.94, "\(run.efficiency) \(run.threads)")
    run.machine.neighbours = 0
    mixed(40)
    run.startMeasuring()
    mixed(40)
    #expect(run.efficiency >= 0.96, "\(run.efficiency) \(run.threads)")
  }

  @Test func `a step never has more threads than its kind's ceiling`() {
    var run = SimulatedRun(
      SimulatedMachine(cores: 8, seed: 3), ceilings: ThreadCounts(decode: 4, prefill: 8))
    for place in 0..<3_000 {
      run.machine.neighbours = place / 150 % 9
      let isChunk = place % 5 == 0
      run.startMeasuring()
      run.step(StepShape(generated: 2, prompt: isChunk ? 64 : 0))
      #expect((1...(isChunk ? 8 : 4)).contains(run.threads[0]))
    }
    run.machine.neighbours = 0
    run.steps(40, StepShape(generated: 2, prompt: 64))
    #expect(run.controller.threads(for: StepShape(generated: 1)) == 4)
    #expect(run.controller.threads(for: StepShape(generated: 0, prompt: 64)) == 8)
  }

  @Test func `one thread stays one thread`() {
    var run = SimulatedRun(
      SimulatedMachine(cores: 2), ceilings: ThreadCounts(decode: 1, prefill: 1))
    run.machine.neighbours = 2
    run.steps(1_000)
    #expect(Set(run.threads) == [1])
    #expect(run.controller.idleWatch == .off)
  }

  @Test func `counts that somebody set are left alone`() {
    var controller = ThreadController(
      ceilings: ThreadCounts(decode: 2, prefill: 4), isAdaptive: false)
    var machine = SimulatedMachine(cores: 2)
    machine.neighbours = 3
    for _ in 0..<500 {
      #expect(controller.threads(for: StepShape(generated: 1)) == 2)
      controller.record(machine.sample(StepShape(generated: 1), threads: 2, readsIdle: false))
      #expect(controller.threads(for: StepShape(generated: 1, prompt: 8)) == 4)
    }
  }

  @Test func `a lowered ceiling holds at once and a raised one is used again`() {
    var run = run(Load(cores: 4, neighbours: 0))
    run.steps(50)
    run.controller.setCeilings(ThreadCounts(decode: 2, prefill: 2))
    run.startMeasuring()
    run.steps(300)
    #expect(run.threads.allSatisfy { $0 <= 2 })
    run.controller.setCeilings(ThreadCounts(decode: 4, prefill: 4))
    run.startMeasuring()
    run.steps(1)
    #expect(run.threads == [4])
  }

  @Test func `a ceiling raised beside neighbours is reached when they stop`() {
    var run = run(Load(cores: 4, neighbours: 3))
    run.steps(60)
    #expect(run.controller.level < 4)
    run.controller.setCeilings(ThreadCounts(decode: 3, prefill: 3))
    run.machine.neighbours = 0
    run.steps(32)
    #expect(run.controller.level == 3)
  }

  @Test func `samples that make no sense change nothing`() {
    var controller = ThreadController(ceilings: ThreadCounts(decode: 4, prefill: 4))
    let shape = StepShape(generated: 1)
    for _ in 0..<100 {
      controller.record(StepSample(shape: shape, threads: 4, wall: .zero, cpu: .zero))
      controller.record(
        StepSample(shape: StepShape(generated: 0), threads: 4, wall: .seconds(1), cpu: .zero))
      controller.record(
        StepSample(shape: shape, threads: 9, wall: .seconds(1), cpu: .seconds(-5)))
    }
    #expect(controller.level == 4)
    #expect(controller.threads(for: shape) == 4)
  }
}

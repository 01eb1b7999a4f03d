import HybridCore
import HybridLocal
import Synchronization
import Testing

@Suite struct StepMeterTests {
  /// `/proc/stat` with these hundredths of a second of idle time for CPUs 0 and 1.
  private final class Counters: Sendable {
    let idle = Mutex([0, 0])
    let reads = Atomic(0)

    var files: MachineFiles {
      MachineFiles { [self] path in
        guard path == "/proc/stat" else { return nil }
        reads.add(1, ordering: .relaxed)
        let idle = idle.withLock { $0 }
        return """
          cpu  9 9 9 \(idle[0] + idle[1] + 500) 0 0 0 0 0 0
          cpu0 3 3 3 \(idle[0]) 0 0 0 0 0 0
          cpu1 3 3 3 \(max(0, idle[1] - 1)) \(min(1, idle[1])) 0 0 0 0 0
          cpu2 3 3 3 500 0 0 0 0 0 0
          intr 1 2 3
          """
      }
    }
  }

  private func time(_ milliseconds: Int) -> Moment { .origin + .milliseconds(milliseconds) }

  private let shape = StepShape(generated: 1)

  @Test func `a sample holds the differences of the readings`() {
    var meter = StepMeter(files: .tree([:]), cpus: CPUList([0]))
    meter.begin(at: time(5), computeTime: .milliseconds(100))
    let sample = meter.end(
      shape, threads: 2, at: time(15), computeTime: .milliseconds(117), idleWatch: .off)
    #expect(
      sample
        == StepSample(
          shape: shape, threads: 2, wall: .milliseconds(10), cpu: .milliseconds(17)))
  }

  @Test func `a system that does not tell CPU time leaves it open`() {
    var meter = StepMeter(files: .tree([:]), cpus: CPUList([0]))
    meter.begin(at: time(0), computeTime: nil)
    let sample = meter.end(
      shape, threads: 2, at: time(9), computeTime: .milliseconds(1), idleWatch: .due)
    #expect(sample.cpu == nil)
    #expect(sample.idleCPUs == nil)
    #expect(sample.wall == .milliseconds(9))
  }

  @Test func `idle CPUs are those of the allowed ones since the last reading`() {
    let counters = Counters()
    var meter = StepMeter(files: counters.files, cpus: CPUList([0, 1]))
    func step(from start: Int, to end: Int, _ watch: IdleCPUWatch) -> Double? {
      meter.begin(at: time(start), computeTime: nil)
      return meter.end(shape, threads: 1, at: time(end), computeTime: nil, idleWatch: watch)
        .idleCPUs
    }
    #expect(step(from: 0, to: 100, .running) == nil)
    #expect(step(from: 100, to: 200, .running) == nil)
    counters.idle.withLock { $0 = [4, 6] }
    #expect(step(from: 200, to: 300, .due) == 0.5)
    // Nobody moved since: and 30 ms would be too short to tell.
    #expect(step(from: 300, to: 330, .due) == nil)
    #expect(step(from: 330, to: 400, .due) == 0)
    #expect(counters.reads.load(ordering: .relaxed) == 3)
  }

  @Test func `a reading from before a rest does not count`() {
    let counters = Counters()
    var meter = StepMeter(files: counters.files, cpus: CPUList([0, 1]))
    func step(from start: Int, to end: Int, _ watch: IdleCPUWatch) -> Double? {
      meter.begin(at: time(start), computeTime: nil)
      return meter.end(shape, threads: 1, at: time(end), computeTime: nil, idleWatch: watch)
        .idleCPUs
    }
    _ = step(from: 0, to: 50, .running)
    counters.idle.withLock { $0 = [1_000, 1_000] }
    #expect(step(from: 10_000, to: 10_050, .due) == nil)
    counters.idle.withLock { $0 = [1_000, 1_005] }
    #expect(step(from: 10_050, to: 10_100, .due) == 1)
    // At the ceiling nobody asks, and what was read grows old.
    _ = step(from: 10_100, to: 10_150, .off)
    #expect(step(from: 10_150, to: 10_200, .due) == nil)
  }

  @Test func `other CPUs are counted from when the process may use them`() {
    let counters = Counters()
    var meter = StepMeter(files: counters.files, cpus: CPUList([0, 1]))
    func step(from start: Int, to end: Int, _ watch: IdleCPUWatch) -> Double? {
      meter.begin(at: time(start), computeTime: nil)
      return meter.end(shape, threads: 1, at: time(end), computeTime: nil, idleWatch: watch)
        .idleCPUs
    }
    _ = step(from: 0, to: 50, .running)
    counters.idle.withLock { $0 = [100, 5] }
    meter.watch(CPUList([1]))
    #expect(step(from: 50, to: 100, .due) == nil)
    counters.idle.withLock { $0 = [200, 10] }
    meter.watch(CPUList([1]))
    #expect(step(from: 100, to: 150, .due) == 1)
  }

  @Test func `counters that run backwards say nothing`() {
    let counters = Counters()
    counters.idle.withLock { $0 = [100, 100] }
    var meter = StepMeter(files: counters.files, cpus: CPUList([0, 1]))
    meter.begin(at: time(0), computeTime: nil)
    _ = meter.end(shape, threads: 1, at: time(50), computeTime: nil, idleWatch: .running)
    counters.idle.withLock { $0 = [0, 0] }
    meter.begin(at: time(50), computeTime: nil)
    let sample = meter.end(shape, threads: 1, at: time(100), computeTime: nil, idleWatch: .due)
    #expect(sample.idleCPUs == nil)
  }
}

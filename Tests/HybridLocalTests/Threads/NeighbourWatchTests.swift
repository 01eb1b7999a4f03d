import HybridCore
import HybridLocal
import Synchronization
import Testing

@Suite struct NeighbourWatchTests {
  private func files(idle: [Int]) -> MachineFiles {
    var text = "cpu  1 2 3 4 5 6 7\n"
    for (cpu, ticks) in idle.enumerated() { text += "cpu\(cpu) 1 2 3 \(ticks) 0 6 7\n" }
    return .tree(["/proc/stat": text + "intr 1\n"])
  }

  /// A measurement of a second on two CPUs.
  private func crowding(idle: Double, own: Double) -> Double? {
    let texts = Mutex(files(idle: [100, 100]))
    let files = MachineFiles { path in texts.withLock { $0.read(path) } }
    var watch = NeighbourWatch(files, cpus: CPUList(0..<2))
    watch.begin(at: .origin, computeTime: .seconds(7))
    texts.withLock { $0 = self.files(idle: [100 + Int(idle * 50), 100 + Int(idle * 50)]) }
    watch.end(at: .origin + .seconds(1), computeTime: .seconds(7 + own))
    return watch.crowding
  }

  @Test(
    arguments: [
      ("alone on both", 0, 2, nil), ("alone on one", 1, 1, nil), ("one neighbour", 0, 1, 1),
      ("beside two", 0, 0.66, 1.34), ("stopped by a quota of half a CPU", 1.5, 0.5, nil),
      ("a little of something", 0.9, 0.95, nil),
    ] as [(String, Double, Double, Double?)])
  func `what other work took is what is neither idle nor own`(
    says: String, idle: Double, own: Double, expected: Double?
  ) {
    let found = crowding(idle: idle, own: own)
    #expect(found.map { ($0 * 100).rounded() / 100 } == expected, "\(says)")
  }

  @Test func `a machine that does not tell has no neighbours`() {
    var watch = NeighbourWatch(.tree([:]), cpus: CPUList(0..<2))
    watch.begin(at: .origin, computeTime: .zero)
    watch.end(at: .origin + .seconds(1), computeTime: .zero)
    #expect(watch.crowding == nil)
  }
}

import HybridCore
import HybridLocal
import Testing

@Suite struct CPUStrainTests {
  private func tree(throttled: Int, waiting: Int) throws -> MachineTree {
    var tree = try fixtureMachine("v2")
    tree.files["/sys/fs/cgroup/cpu.stat"] =
      "nr_periods 500\nnr_throttled \(throttled / 1_000)\nthrottled_usec \(throttled)\n"
    tree.files["/proc/pressure/cpu"] =
      "some avg10=1.00 avg60=1.00 avg300=1.00 total=\(waiting)\n"
    return tree
  }

  @Test func `an answer is told what quotas and neighbours took from it`() throws {
    let start = CPUStrain(try tree(throttled: 5_000, waiting: 1_000_000).machine, at: .origin)
    let result = start.result(
      try tree(throttled: 45_000, waiting: 1_500_000).machine, at: .origin + .seconds(2))
    #expect(result == CPUStrain.Result(throttled: .milliseconds(40), pressure: 0.25))
  }

  @Test func `a machine that tells neither leaves both open`() throws {
    let machine = try fixtureMachine("empty").machine
    let result = CPUStrain(machine, at: .origin).result(machine, at: .origin + .seconds(1))
    #expect(result == CPUStrain.Result())
  }

  @Test func `counters that started anew give no negative times`() throws {
    let start = CPUStrain(try tree(throttled: 45_000, waiting: 2_000_000).machine, at: .origin)
    let result = start.result(
      try tree(throttled: 5_000, waiting: 1).machine, at: .origin + .seconds(2))
    #expect(result == CPUStrain.Result(throttled: .zero, pressure: nil))
    #expect(
      start.result(try tree(throttled: 45_000, waiting: 9).machine, at: .origin).pressure == nil)
  }
}

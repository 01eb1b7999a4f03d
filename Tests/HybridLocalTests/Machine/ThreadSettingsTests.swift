import HybridLocal
import Testing

@Suite struct ThreadSettingsTests {
  let budget = MachineTree(cores: 4, threadsPerCore: 2).machine.cpuBudget()

  struct Row: Sendable {
    var decode: Int?
    var prefill: Int?
    var environment: [String: String] = [:]
    let result: ThreadCount
    let prefillResult: ThreadCount
  }

  @Test(arguments: [
    Row(
      result: ThreadCount(4, .physicalCores), prefillResult: ThreadCount(8, .logicalCPUs)),
    Row(
      environment: ["LLAMA_ARG_THREADS": "3"],
      result: ThreadCount(3, .environment("LLAMA_ARG_THREADS")),
      prefillResult: ThreadCount(3, .environment("LLAMA_ARG_THREADS"))),
    Row(
      environment: ["HYBRID_THREADS": " 2 ", "LLAMA_ARG_THREADS": "3"],
      result: ThreadCount(2, .environment("HYBRID_THREADS")),
      prefillResult: ThreadCount(2, .environment("HYBRID_THREADS"))),
    Row(
      environment: ["HYBRID_THREADS": "  ", "LLAMA_ARG_THREADS": "3"],
      result: ThreadCount(3, .environment("LLAMA_ARG_THREADS")),
      prefillResult: ThreadCount(3, .environment("LLAMA_ARG_THREADS"))),
    Row(
      environment: ["LLAMA_ARG_THREADS": "-1"],
      result: ThreadCount(4, .physicalCores), prefillResult: ThreadCount(8, .logicalCPUs)),
    Row(
      decode: 1, environment: ["HYBRID_THREADS": "2", "LLAMA_ARG_THREADS": "x"],
      result: ThreadCount(1, .explicit), prefillResult: ThreadCount(1, .explicit)),
    Row(
      decode: 5, prefill: 8,
      result: ThreadCount(5, .explicit), prefillResult: ThreadCount(8, .explicit)),
    // A thread without a CPU of its own keeps all others waiting.
    Row(
      decode: 16, prefill: 512, result: ThreadCount(8, .explicit, asked: 16),
      prefillResult: ThreadCount(8, .explicit, asked: 512)),
    Row(
      environment: ["HYBRID_THREADS": "64"],
      result: ThreadCount(8, .environment("HYBRID_THREADS"), asked: 64),
      prefillResult: ThreadCount(8, .environment("HYBRID_THREADS"), asked: 64)),
    Row(
      prefill: 6,
      result: ThreadCount(4, .physicalCores), prefillResult: ThreadCount(6, .explicit)),
  ])
  func `the strongest setting wins`(row: Row) throws {
    let settings = try ThreadSettings(
      decode: row.decode, prefill: row.prefill, environment: row.environment)
    let plan = ThreadPlan(budget: budget, settings: settings)
    #expect(plan.decode == row.result)
    #expect(plan.prefill == row.prefillResult)
  }

  @Test(arguments: ["0", "-1", "two", "2.5", "513", "99999999999999999999", "0x2"])
  func `a variable that is no count names itself`(value: String) {
    let error = #expect(throws: ThreadSettingError.self) {
      try ThreadSettings(environment: ["HYBRID_THREADS": value])
    }
    #expect(error?.setting == "HYBRID_THREADS")
    #expect(error?.description.contains("1 to 512") == true)
  }

  @Test(arguments: [0, -4, 513])
  func `an explicit count out of range is refused`(value: Int) {
    let error = #expect(throws: ThreadSettingError.self) {
      try ThreadSettings(decode: value, environment: [:])
    }
    #expect(error?.setting == "threads")
    #expect(throws: ThreadSettingError.self) {
      try ThreadSettings(prefill: value, environment: [:])
    }
  }

  @Test func `a machine with a thousand cores stays within llama.cpp's room`() {
    let plan = MachineTree(cores: 1_000).machine.threadPlan()
    #expect(plan.decode == ThreadCount(512, .physicalCores))
  }

  @Test func `each source reads as a sentence`() throws {
    let settings = try ThreadSettings(environment: ["HYBRID_THREADS": "2"])
    #expect(
      ThreadPlan(budget: budget, settings: settings).decode.description
        == "2 (set by HYBRID_THREADS)")
    #expect(
      MachineTree(cores: 4, quota: 2.5).machine.threadPlan().decode.description
        == "2 (CPU quota in /sys/fs/cgroup/cpu.max, rounded down)")
  }
}

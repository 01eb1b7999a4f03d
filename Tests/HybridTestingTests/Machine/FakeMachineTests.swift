import HybridTesting
import Testing

#if LocalLlama
  import HybridCore
  import HybridLocal
#endif

struct FakeMachineTests {
  @Test func `threads follow the cores, and a quota is rounded down`() {
    #expect(FakeMachine(cores: 4).decodeThreads == 4)
    let server = FakeMachine(cores: 8, threadsPerCore: 2)
    #expect(server.decodeThreads == 8)
    #expect(server.prefillThreads == 16)
    let container = FakeMachine(cores: 8, threadsPerCore: 2, quota: 2.5)
    #expect(container.decodeThreads == 2)
    #expect(container.prefillThreads == 2)
  }

  @Test func `memory is the smaller of the machine's and the container's`() {
    #expect(FakeMachine(availableMemory: 1 << 30).availableMemory == 1 << 30)
    #expect(
      FakeMachine(availableMemory: 1 << 30, memoryLimit: 1 << 20).availableMemory == 1 << 20)
  }

  @Test func `any file can be written by hand`() {
    var machine = FakeMachine(cores: 4)
    machine[file: "/sys/fs/cgroup/cpu.max"] = "300000 100000\n"
    #expect(machine.decodeThreads == 3)
    machine[file: "/proc/meminfo"] = nil
    #expect(machine.availableMemory == nil)
  }

  #if LocalLlama
    @Test func `a local side believes the machine that it is given`() async {
      let local = LocalExecutor(modelPath: "/nowhere/model.gguf", machine: FakeMachine(cores: 1))
      #expect(await local.status().state == .missing)
    }
  #endif
}

#if LocalLlama
  public import HybridCore
  public import HybridLocal
#else
  package import HybridLocal
#endif

/// A machine that exists only as the text of its `/proc` and `/sys`: cores, a CPU quota, memory.
///
/// Shows what HybridKit would do elsewhere: how many threads, and whether a model fits.
///
/// ```swift
/// let container = FakeMachine(cores: 8, threadsPerCore: 2, quota: 2.5)
/// #expect(container.decodeThreads == 2)
/// ```
public struct FakeMachine: Sendable, Hashable {
  private var tree: MachineTree

  /// Cores of equal speed, optionally in a container (control groups of version 2).
  ///
  /// - Parameters:
  ///   - cores: physical cores, at least 1.
  ///   - threadsPerCore: 2 where each core runs two threads.
  ///   - quota: CPUs' worth of time, such as 2.5; nil for no limit.
  ///   - availableMemory: bytes that the machine as a whole has available.
  ///   - memoryLimit: the container's limit in bytes, of which nothing is used yet.
  public init(
    cores: Int = 4, threadsPerCore: Int = 1, quota: Double? = nil,
    availableMemory: UInt64 = 8 << 30, memoryLimit: UInt64? = nil
  ) {
    tree = MachineTree(
      cores: cores, threadsPerCore: threadsPerCore, quota: quota,
      availableMemoryBytes: availableMemory, memoryLimitBytes: memoryLimit)
  }

  /// The text of one file by its absolute path. Setting one makes a machine of any kind; nil: the
  /// file is not there.
  public subscript(file path: String) -> String? {
    get { tree.files[path] }
    set { tree.files[path] = newValue }
  }

  /// Threads that would generate, where nothing else is set.
  public var decodeThreads: Int { machine.threadPlan().decode.count }

  /// Threads that would process prompts, where nothing else is set.
  public var prefillThreads: Int { machine.threadPlan().prefill.count }

  /// Bytes that a model may take; nil where the machine does not tell.
  public var availableMemory: UInt64? { machine.memoryBudget().availableBytes }

  package var machine: Machine { tree.machine }
}

#if LocalLlama
  extension LocalExecutor {
    /// A local side that takes `machine` for the one it runs on. Only its numbers are believed: the
    /// model still runs on this machine's CPU and memory.
    public convenience init(
      modelPath: String, options: Options = Options(), time: any TimeSource = SystemTimeSource(),
      machine: FakeMachine
    ) {
      self.init(
        modelPath: modelPath, options: options, time: time, machine: machine.machine,
        environment: [:])
    }
  }
#endif

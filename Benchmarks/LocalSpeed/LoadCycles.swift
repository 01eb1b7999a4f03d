#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import Measuring

  /// Loads, answers and unloads again and again, and watches what the process holds.
  struct LoadCycles {
    let options: Options
    let count: Int

    /// - Returns: false where threads or descriptors were left behind.
    func run() async throws -> Bool {
      let executor = LocalExecutor(
        modelPath: options.model,
        options: .init(contextLength: 2048, threads: options.threads))
      var request = ChatRequest(prompt: "Say hello.")
      request.sampling = .greedy
      request.maxTokens = 4
      var resident: [Int] = []
      var first: ProcessCounts?
      for cycle in 1...count {
        for try await _ in try await executor.start(request, in: ExecutionContext()) {
          // Without them, their end would prove nothing.
          guard ProcessCounts().engineThreads >= options.threads else {
            throw UsageError("the engine's threads are not found")
          }
        }
        try await executor.unload()
        resident.append(try ProcessCounts.residentBytes() >> 20)
        let counts = await Self.settled()
        first = first ?? counts
        if cycle == 1 || cycle == 3 || cycle % 10 == 0 {
          print("after \(cycle) cycles: \(resident[cycle - 1]) MiB resident, unloaded")
        }
        if cycle == count, let first {
          print(
            "threads of the engine: \(first.engineThreads) after the first, "
              + "\(counts.engineThreads) after the last   (aim: 0)")
          print(
            "open descriptors: \(first.descriptors) after the first, "
              + "\(counts.descriptors) after the last   (aim: the same)")
          let growth = resident[count - 1] - resident[min(2, count - 1)]
          print("growth since the third: \(growth) MiB   (aim: 32 or less)")
          return counts == first && counts.engineThreads == 0
        }
      }
      return true
    }

    /// A thread says that it has ended a moment before it has.
    private static func settled() async -> ProcessCounts {
      for _ in 0..<10_000 {
        let counts = ProcessCounts()
        if counts.engineThreads == 0 { return counts }
        await Task.yield()
      }
      return ProcessCounts()
    }
  }
#endif

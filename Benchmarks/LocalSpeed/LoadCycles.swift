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
        let counts = await ProcessCounts.settled()
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
          return try await closes(executor, as: first) && counts == first
            && counts.engineThreads == 0
        }
      }
      return true
    }

    /// - Returns: false where the end of a loaded executor leaves more behind than an unload did.
    private func closes(_ executor: LocalExecutor, as unloaded: ProcessCounts) async throws -> Bool
    {
      try await executor.load()
      guard ProcessCounts().engineThreads >= options.threads, Self.maps(of: options.model) > 0
      else { throw UsageError("the engine's threads, or the model's memory, are not found") }
      await executor.close()
      let counts = await ProcessCounts.settled()
      let maps = Self.maps(of: options.model)
      print(
        "after close: \(counts.engineThreads) threads, \(counts.descriptors) descriptors, "
          + "\(maps) maps of the model   (aim: 0, \(unloaded.descriptors), 0)")
      return counts == unloaded && maps == 0
    }

    /// Parts of the file in this process's memory.
    private static func maps(of path: String) -> Int {
      let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
      let path = URL(filePath: path).resolvingSymlinksInPath().path()
      return maps.split(separator: "\n").count { $0.hasSuffix(path) }
    }
  }
#endif

#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal

  /// Loads, answers and unloads again and again, and watches the process's memory.
  struct LoadCycles {
    let options: Options
    let count: Int

    func run() async throws {
      let executor = LocalExecutor(
        modelPath: options.model,
        options: .init(contextLength: 2048, threads: options.threads))
      var request = ChatRequest(prompt: "Say hello.")
      request.sampling = .greedy
      request.maxTokens = 4
      var resident: [Int] = []
      for cycle in 1...count {
        for try await _ in try await executor.start(request, in: ExecutionContext()) {}
        try await executor.unload()
        resident.append(try Self.residentMiB())
        if cycle == 1 || cycle == 3 || cycle % 10 == 0 {
          print("after \(cycle) cycles: \(resident[cycle - 1]) MiB resident, unloaded")
        }
      }
      let growth = resident[count - 1] - resident[min(2, count - 1)]
      print("growth since the third: \(growth) MiB   (aim: 32 or less)")
    }

    private static func residentMiB() throws -> Int {
      let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      return pages * 4096 / (1 << 20)
    }
  }
#endif

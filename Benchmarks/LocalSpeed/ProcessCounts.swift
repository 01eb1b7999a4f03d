#if LocalLlama
  import Foundation
  import HybridLocal

  /// What this process holds, as the kernel counts it.
  struct ProcessCounts: Equatable {
    let descriptors: Int
    /// Threads that compute, or wait to.
    let engineThreads: Int

    init() {
      descriptors = Self.names(in: "/proc/self/fd").count
      engineThreads = Self.names(in: "/proc/self/task").count { thread in
        let name = try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
        return name == Engine.threadName + "\n"
      }
    }

    /// Once the engine's threads have gone: one says that it has ended a moment before it has.
    static func settled() async -> ProcessCounts {
      let latest = ContinuousClock.now + .seconds(5)
      while true {
        let counts = ProcessCounts()
        if counts.engineThreads == 0 || ContinuousClock.now > latest { return counts }
        await Task.yield()
      }
    }

    static func residentBytes() throws -> Int {
      let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      return pages * 4096
    }

    private static func names(in folder: String) -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
  }
#endif

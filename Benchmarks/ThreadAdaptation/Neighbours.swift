#if LocalLlama
  import Foundation

  /// Child processes that spin, each on one CPU.
  final class Neighbours {
    private var processes: [Process] = []

    /// Starts or ends processes until there are as many.
    func set(_ count: Int) throws {
      while processes.count > count {
        let process = processes.removeLast()
        process.terminate()
        process.waitUntilExit()
      }
      while processes.count < count {
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe")
        process.arguments = ["--spin"]
        try process.run()
        processes.append(process)
      }
    }

    deinit {
      for process in processes { process.terminate() }
    }

    /// The child's whole life; it ends with its parent.
    static func spin() -> Never {
      let parent = getppid()
      var rounds: UInt64 = 0
      while true {
        rounds &+= 1
        if rounds & 0xFF_FFFF == 0, getppid() != parent { exit(0) }
      }
    }
  }
#endif

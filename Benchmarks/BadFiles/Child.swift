#if LocalLlama
  import Foundation

  /// This program again, with one file to try.
  enum Child {
    static let argument = "--try"

    /// - Parameter limit: seconds until it counts as hanging and is killed.
    static func fate(of path: String, limit: Int) throws -> Fate {
      let log = path + ".log"
      _ = FileManager.default.createFile(atPath: log, contents: nil)
      defer { try? FileManager.default.removeItem(atPath: log) }
      let output = try FileHandle(forWritingTo: URL(filePath: log))
      defer { try? output.close() }

      let process = Process()
      process.executableURL = URL(filePath: "/proc/self/exe")
      process.arguments = [argument, path]
      // Swift's own report of a crash takes seconds, and nobody reads it.
      process.environment = ProcessInfo.processInfo.environment
        .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = output
      let ended = DispatchSemaphore(value: 0)
      process.terminationHandler = { _ in ended.signal() }
      try process.run()
      guard ended.wait(timeout: .now() + .seconds(limit)) == .success else {
        kill(process.processIdentifier, SIGKILL)
        ended.wait()
        return .hang
      }
      let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
      let words =
        text.split(separator: "\n").last { !$0.isEmpty }.map { String($0.prefix(160)) } ?? ""
      switch (process.terminationReason, process.terminationStatus) {
      case (.uncaughtSignal, let number): return .signal(number, words)
      case (_, 0): return .works
      case (_, Attempt.refused): return .refused(words)
      case (_, Attempt.failed): return .failed(words)
      case (_, let status): return .exit(status, words)
      }
    }
  }
#endif

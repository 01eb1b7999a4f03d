#if LocalLlama
  import Foundation

  /// `LocalSpeed` in a process of its own, since other tests' threads, files and memory come and go in
  /// this one. The executables stand where the test bundle does.
  enum LocalSpeedProcess {
    static func run(_ arguments: [String]) async throws -> (status: Int32, output: String) {
      let process = Process()
      process.executableURL = URL(filePath: CommandLine.arguments[0])
        .deletingLastPathComponent().appending(path: "LocalSpeed")
      process.arguments = arguments + ["--model", try TestAssets.model()]
      let output = Pipe()
      process.standardOutput = output
      let status = try await withCheckedThrowingContinuation { continuation in
        process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
        do {
          try process.run()
        } catch {
          continuation.resume(throwing: error)
        }
      }
      let text = String(
        decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      return (status, text)
    }
  }
#endif

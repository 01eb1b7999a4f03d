#if LocalLlama
  import Foundation

  /// A program under `Benchmarks/` in a process of its own. The executables stand where the test bundle
  /// does.
  enum BenchmarkProcess {
    static func run(
      _ name: String, _ arguments: [String]
    ) async throws -> (status: Int32, output: String) {
      let process = Process()
      process.executableURL = URL(filePath: CommandLine.arguments[0])
        .deletingLastPathComponent().appending(path: name)
      process.arguments = arguments
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

#if LocalLlama
  import Foundation
  import Testing

  extension RealModel {
    struct LoadCycleTests {
      /// In a process of its own, since other tests' threads and files come and go here. The
      /// executables stand where the test bundle does.
      @Test func `loads and unloads leave neither threads nor descriptors behind`() async throws {
        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0])
          .deletingLastPathComponent().appending(path: "LocalSpeed")
        process.arguments = [
          "--load-cycles", "6", "--threads", "2", "--model", try TestAssets.model(),
        ]
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
        #expect(status == 0, "\(text)")
        #expect(text.contains("threads of the engine: 0 after the first, 0 after the last"))
      }
    }
  }
#endif

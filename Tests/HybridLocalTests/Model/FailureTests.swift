#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import HybridTesting
  import Testing

  extension RealModel {
    /// What a failure of the engine or of the file system does to the state of the local side.
    struct FailureTests {
      /// Makes numbers of some layers no numbers: the model loads, and computes nothing.
      static func damage(_ path: String) throws {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: 60_000_000)
        try file.write(contentsOf: Data(repeating: 0xFF, count: 1 << 20))
        try file.close()
      }

      @Test func `an engine that fails in an answer is given up, and loaded again after a while`()
        async throws
      {
        try await RealModel.withCopy { path in
          try Self.damage(path)
          let clock = ManualClock()
          let executor = try executor(path: path, time: clock)
          try await executor.load()
          let waiting = Task { try await executor.collect(request("Me too.", maxTokens: 4)) }
          let error = await #expect(throws: HybridError.self) {
            try await executor.collect(request("Why is the sky blue?", maxTokens: 4))
          }
          // Whichever came first failed by itself, and the other with it or for the same reason.
          let other = await #expect(throws: HybridError.self) { try await waiting.value }
          let codes = [error?.code, other?.code]
          #expect(codes.contains(.decodeFailed))
          #expect(codes.allSatisfy { [.decodeFailed, .engineLost].contains($0) })

          // Until it is due, nothing is loaded.
          let failure = await executor.status().failure
          #expect(failure?.code == .decodeFailed)
          #expect(failure?.until == clock.now() + .seconds(1))
          let early = await #expect(throws: HybridError.self) {
            try await executor.collect(request("Again."))
          }
          #expect(early?.code == .decodeFailed)
          clock.advance(by: .seconds(1))
          #expect(await executor.status().state == .notLoaded)

          // That it loads again is no success: the next wait is longer.
          await #expect(throws: HybridError.self) {
            try await executor.collect(request("Again."))
          }
          #expect(await executor.status().failure?.until == clock.now() + .seconds(2))
          await executor.close()
        }
      }

      @Test func `a policy may say that a failed answer leaves the engine as it is`() async throws {
        try await RealModel.withCopy { path in
          try Self.damage(path)
          let executor = try executor(path: path)
          var failures = FailureTable.standard
          failures[.localFailure].localEffect = .none
          let error = await #expect(throws: HybridError.self) {
            try await executor.collect(
              request("Why is the sky blue?"), in: ExecutionContext(failures: failures))
          }
          #expect(error?.code == .decodeFailed)
          #expect(await executor.status().state == .ready)
          await executor.close()
        }
      }

      static let passing: [(errno: Int32, next: String)] = [
        (EMFILE, "ulimit"), (ENFILE, "ulimit"), (ENOMEM, "memory"), (EIO, "disk"),
        (EACCES, "permission"),
      ]

      @Test(arguments: passing)
      func `a file that cannot be read now is tried again`(errno: Int32, next: String) async throws
      {
        for isOpenError in [true, false] {
          let clock = ManualClock()
          let isWell = AbortFlag()
          let files = ModelFiles { path throws(ModelFileError) in
            let file = try ModelFiles.real.open(path)
            if isWell.isRaised { return file }
            if isOpenError { throw .notNow("opened", errno, path: path) }
            return OpenModelFile(
              identity: file.identity,
              bytes: ModelBytes(size: file.bytes.size) { _, _ throws(ModelFileError) in
                throw .notNow("read", errno, offset: 0)
              })
          }
          let executor = LocalExecutor(
            modelPath: try TestAssets.model(), options: .init(contextLength: 512), time: clock,
            machine: .current, environment: [:], files: files)
          let failure = await executor.status().failure
          #expect(failure?.code == .modelLoadFailed)
          #expect(failure?.message?.contains(executor.modelPath) == true)
          #expect(failure?.nextStep?.contains(next) == true)
          #expect(failure?.until == clock.now() + .seconds(1))
          let error = await #expect(throws: HybridError.self) {
            try await executor.collect(request("hi"))
          }
          #expect(error?.code == .modelLoadFailed)

          // The fault passes: it is noticed when it is due, with the same, unchanged file.
          isWell.raise()
          clock.advance(by: .seconds(1))
          #expect(await executor.status().state == .notLoaded)
          #expect(await executor.measure(request("Why is the sky blue?")) == .counted(36))
        }
      }

      @Test func `a vocabulary that cannot be read now is tried again`() async throws {
        try await RealModel.withCopy { path in
          let facts = try ModelFacts(path: path, file: ModelFiles.real.open(path))
          let moved = path + ".away"
          try FileManager.default.moveItem(atPath: path, toPath: moved)
          let error = #expect(throws: HybridError.self) {
            _ = try facts.promptBuilder(at: .origin)
          }
          #expect(error?.code == .modelLoadFailed)
          try FileManager.default.moveItem(atPath: moved, toPath: path)
          #expect(facts.retry == .origin + .seconds(1))
          #expect(throws: HybridError.self) { _ = try facts.promptBuilder(at: .origin) }
          _ = try facts.promptBuilder(at: .origin + .seconds(1))
          #expect(facts.retry == nil)
        }
      }
    }
  }
#endif

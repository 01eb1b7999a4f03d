#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import HybridTesting
  import Testing

  extension RealModel {
    struct LifeCycleTests {
      @Test func `measuring never loads the weights`() async throws {
        let executor = try executor()
        #expect(await executor.measure(request("Why is the sky blue?")) == .counted(36))
        let status = await executor.status()
        #expect(status.state == .notLoaded)
        #expect(status.contextLength == 512)
        #expect((status.memory?.needed ?? 0) > 98_000_000)
      }

      @Test func `the chosen context is the model's own`() async throws {
        #expect(await (try executor(contextLength: nil)).status().contextLength == 8192)
      }

      @Test func `an unload gives way to the next request`() async throws {
        let executor = try executor()
        try await executor.load()
        #expect(await executor.status().state == .ready)
        try await executor.unload()
        #expect(await executor.status().state == .notLoaded)
        try await executor.unload()
        _ = try await executor.collect(request("hi", maxTokens: 1))
        #expect(await executor.status().state == .ready)
        await executor.close()
      }

      @Test func `an unload is refused while a request runs`() async throws {
        let executor = try executor()
        let running = try await executor.start(
          request("Count to one thousand.", maxTokens: 300), in: ExecutionContext())
        let error = await #expect(throws: HybridError.self) { try await executor.unload() }
        #expect(error?.code == .localBusy)
        running.cancel()
        #expect(try await Collected(running).completion?.finishReason == .cancelled)
        try await executor.unload()
      }

      @Test func `closing ends what runs and what waits as engineLost`() async throws {
        let executor = try executor()
        let running = try await executor.start(
          request("Count to one thousand.", maxTokens: 400), in: ExecutionContext())
        let waiting = try await executor.start(request("Me too."), in: ExecutionContext())
        let pieces = running.makeAsyncIterator()
        _ = try await pieces.next()
        await executor.close()
        let error = await #expect(throws: HybridError.self) { try await Collected(running) }
        #expect(error?.code == .engineLost)
        #expect(error?.partialText?.isEmpty == false)
        let other = await #expect(throws: HybridError.self) { try await Collected(waiting) }
        #expect(other?.code == .engineLost)
        let later = await #expect(throws: HybridError.self) { try await executor.load() }
        #expect(later?.code == .engineLost)
        #expect(await executor.status().failure?.code == .engineLost)
      }

      @Test func `a stream outlives the last other reference to its executor`() async throws {
        let stream = try await executor().start(request("Say hello.", maxTokens: 8), in: .init())
        #expect(try await Collected(stream).completion != nil)
      }

      @Test func `memory comes back after each unload`() async throws {
        let executor = try executor()
        var resident: [Int] = []
        for _ in 1...8 {
          _ = try await executor.collect(request("hi", maxTokens: 2))
          try await executor.unload()
          resident.append(try Self.residentBytes())
        }
        #expect(resident[7] - resident[2] < 32 << 20, "\(resident)")
      }

      static func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        return pages * 4096
      }
    }

    // Files that are no chat models.

    static let broken: [(name: String, ErrorCode, make: @Sendable (String) throws -> Void)] = [
      ("absent", .modelNotFound, { _ in }),
      ("empty", .modelFileInvalid, { try Data().write(to: URL(filePath: $0)) }),
      (
        "directory", .modelFileInvalid,
        { try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: true) }
      ),
      ("text", .modelFileInvalid, { try Data("hello there".utf8).write(to: URL(filePath: $0)) }),
      (
        "truncated", .modelFileInvalid,
        { path in
          let whole = try FileHandle(forReadingFrom: URL(filePath: TestAssets.model()))
          try (whole.read(upToCount: 20_000_000) ?? Data()).write(to: URL(filePath: path))
        }
      ),
      (
        "vocabulary", .modelUnsupported,
        { path in
          let vocabulary = try TestAssets.path("testing/vocab/ggml-vocab-qwen2.gguf")
          try FileManager.default.copyItem(atPath: vocabulary, toPath: path)
        }
      ),
      (
        "embedding", .modelUnsupported,
        { path in
          let vocabulary = try TestAssets.path("testing/vocab/ggml-vocab-bert-bge.gguf")
          try FileManager.default.copyItem(atPath: vocabulary, toPath: path)
        }
      ),
    ]

    @Test(arguments: 0..<broken.count)
    func `a file that is no chat model is refused with its kind`(index: Int) async throws {
      let (name, code, make) = Self.broken[index]
      let folder = FileManager.default.temporaryDirectory.appending(path: "broken-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let path = folder.appending(path: "\(name).gguf").path()
      try make(path)
      let executor = try Self.executor(path: path)
      let error = await #expect(throws: HybridError.self) {
        try await executor.collect(Self.request("hi"))
      }
      #expect(error?.code == code, "\(name)")
      #expect(error?.nextStep != nil)
      let status = await executor.status()
      if code == .modelNotFound {
        #expect(status.state == .missing)
      } else {
        // The status tells all that the error did.
        #expect(status.failure?.code == code && status.failure?.until == nil)
        #expect(status.failure?.message == error?.message)
        #expect(status.failure?.nextStep == error?.nextStep)
        #expect(status.failure?.details == error?.details)
      }
      guard case .unavailable(let failure) = await executor.measure(Self.request("hi")) else {
        Issue.record("measured a file that is no chat model")
        return
      }
      #expect(failure.code == code && failure.until == nil && failure.message == error?.message)
      // A sound file in its place is taken.
      try? FileManager.default.removeItem(atPath: path)
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: TestAssets.model())
      #expect(await executor.status().state == .notLoaded)
    }

    @Test func `too little memory is refused before the load`() async throws {
      let root = FileManager.default.temporaryDirectory.appending(path: "machine-\(UUID())")
      let proc = root.appending(path: "proc")
      try FileManager.default.createDirectory(at: proc, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: root) }
      try Data("MemAvailable: 50000 kB\n".utf8).write(to: proc.appending(path: "meminfo"))
      let executor = LocalExecutor(
        modelPath: try TestAssets.model(), options: .init(), time: SystemTimeSource(),
        machine: Machine(root: root.path()), environment: [:])
      let error = await #expect(throws: HybridError.self) {
        try await executor.collect(Self.request("hi"))
      }
      #expect(error?.code == .insufficientMemory)
      let memory = await executor.status().memory
      #expect(memory?.available == 51_200_000)
      #expect((memory?.needed ?? 0) > 51_200_000)
      #expect(await executor.status().state == .notLoaded)
    }
  }
#endif

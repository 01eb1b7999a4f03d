#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import HybridTesting
  import Testing

  /// The real worker's process, without a model.
  @Suite struct HonestWorkerTests {
    private func run(
      _ arguments: [String], until: @escaping @Sendable (String) -> Bool = { _ in false }
    ) throws -> (Process, Pipe) {
      let process = Process()
      process.executableURL = URL(filePath: ScriptedWorkerTests.program)
      process.arguments = arguments
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      return (process, output)
    }

    private func line(of output: Pipe) async -> String {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          var text = ""
          while !text.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
          }
          continuation.resume(returning: String(text.dropLast()))
        }
      }
    }

    @Test func `a missing model is the executor's own error, and no crash`() async throws {
      let worker = LocalWorker(
        executable: ScriptedWorkerTests.program, arguments: ["serve"], modelPath: "/no/such.gguf")
      #expect(await worker.status().state == .missing)
      let error = await #expect(throws: HybridError.self) {
        _ = try await worker.start(ChatRequest(prompt: "Hi"), in: ExecutionContext())
      }
      #expect(error?.code == .modelNotFound)
      #expect(error?.details["path"] == "/no/such.gguf")
      #expect(worker.restarts == 0)
      await worker.close()
    }

    @Test func `it has nothing of its parent but the stream, and can gain no rights`() async throws
    {
      let worker = LocalWorker(
        executable: ScriptedWorkerTests.program, arguments: ["serve"], modelPath: "/no/such.gguf",
        options: .init(memoryLimit: 1 << 40, niceness: 3))
      _ = await worker.status()
      let process = try #require(worker.processID)
      func file(_ name: String) throws -> String {
        try String(contentsOfFile: "/proc/\(process)/\(name)", encoding: .utf8)
      }
      let status = try file("status")
      #expect(status.contains("NoNewPrivs:\t1"))
      #expect(status.contains("Name:\thybrid-worker"))
      let limits = try file("limits").split(separator: "\n").map {
        $0.split(separator: " ").map(String.init)
      }
      #expect(limits.contains { $0.starts(with: ["Max", "core", "file", "size", "0", "0"]) })
      #expect(limits.contains { $0.starts(with: ["Max", "address", "space", "1099511627776"]) })
      let fields = try file("stat").split(separator: " ")
      #expect(fields[4] == "\(process)", "a process group of its own")
      #expect(fields[18] == "3", "niceness")
      // Its memory is nobody's business, so these are the superuser's.
      if geteuid() == 0 {
        let descriptors = try FileManager.default.contentsOfDirectory(
          atPath: "/proc/\(process)/fd"
        ).compactMap { Int($0) }.sorted()
        // 4 and on are those that it opened itself.
        #expect(descriptors.starts(with: [0, 1, 2, 3]))
        let own = try descriptors.map {
          try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)")
        }
        #expect(own[0] == "/dev/null")
        #expect(own[1] == own[2])
        #expect(
          own.dropFirst().allSatisfy { $0.hasPrefix("socket:") || $0.hasPrefix("anon_inode:") })
        let environment = try file("environ").split(separator: "\0").map {
          String($0.prefix { $0 != "=" })
        }
        #expect(!environment.contains("PATH"))
        #expect(environment.contains("HYBRIDKIT_WORKER"))
      }
      await worker.close()
      #expect(kill(process, 0) != 0)
    }

    @Test(arguments: [false, true])
    func `a worker is gone when its parent is, stopped or not`(isStopped: Bool) async throws {
      let (parent, output) = try run(["parent"])
      let process = try #require(Int32(await line(of: output)))
      #expect(kill(process, 0) == 0)
      // One that is stopped cannot notice anything by itself.
      if isStopped { kill(process, SIGSTOP) }
      kill(parent.processIdentifier, SIGKILL)
      parent.waitUntilExit()
      let latest = ContinuousClock.now + .seconds(20)
      while kill(process, 0) == 0, ContinuousClock.now < latest { await Task.yield() }
      #expect(kill(process, 0) != 0)
    }

    @Test func `twenty crashes leave no descriptor, no thread and no child behind`() async throws {
      let (process, output) = try run(["restarts:20"])
      #expect(await line(of: output) == "20 restarts left 0 descriptors, 0 threads, 0 children")
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }

    private static let canChooseNumbers =
      geteuid() == 0 && FileManager.default.isWritableFile(atPath: "/proc/sys/kernel/ns_last_pid")

    @Test(.enabled(if: canChooseNumbers))
    func `another process that gets the number of one that has gone is spared`() async throws {
      let (process, output) = try run(["reuse"])
      #expect(await line(of: output) == "spared")
      process.waitUntilExit()
    }

    @Test(arguments: ["sweep", "walk"])
    func `a worker closes what it was not meant to inherit`(way: String) throws {
      let (process, _) = try run([way])
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }

    @Test(arguments: [false, true])
    func `a process inherits nothing, whatever the C library can`(walks: Bool) throws {
      // Open, and inherited by whoever is started without care.
      let leaks = (0..<3).map { _ in dup(1) }
      defer { for leak in leaks { close(leak) } }
      let (stream, words) = (try WorkerStream.pair(), try WorkerStream.pair())
      let process = try WorkerProcess(
        WorkerProgram(
          executable: ScriptedWorkerTests.program, arguments: ["ready", "hang"], environment: [:]),
        stream: stream.1, words: words.1, walksDescriptors: walks)
      var byte: UInt8 = 0
      #expect(unsafe recv(stream.0, &byte, 1, 0) == 1)
      let names = try FileManager.default.contentsOfDirectory(
        atPath: "/proc/\(process.id)/fd")
      #expect(Set(names.compactMap { Int32($0) }).isDisjoint(with: leaks))
      #expect(Set(names).isSuperset(of: ["0", "1", "2", "3"]))
      process.kill()
      #expect(process.wait() == .signal(SIGKILL))
      for end in [stream.0, stream.1, words.0, words.1] { close(end) }
    }

    @Test func `started by hand it says so and ends`() throws {
      let process = Process()
      process.executableURL = URL(filePath: ScriptedWorkerTests.program)
      process.arguments = ["serve"]
      let errors = Pipe()
      process.standardError = errors
      try process.run()
      let text = String(
        decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 64)
      #expect(text == "a worker is started by the LocalWorker of a program, not by hand\n")
    }
  }
#endif

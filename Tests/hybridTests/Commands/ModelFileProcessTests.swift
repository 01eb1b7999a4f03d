import Foundation
import HybridCore
import ModelFileCases
import Testing

@testable import hybrid

#if LocalLlama
  /// What each command does with a model file that cannot serve.
  @Suite struct ModelFileProcessTests {
    private static func withFolder(_ body: (String) async throws -> Void) async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "bad-\(UUID())").path()
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try await body(folder)
    }

    private static func put(_ name: String, _ bytes: [UInt8], in folder: String) throws {
      try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
    }

    private static func run(_ arguments: [String]) async throws -> HybridProcess.Result {
      try await HybridProcess.run(
        arguments, environment: ["PREFIX": "/nowhere", "HOME": "/nowhere", "HYBRID_THREADS": "1"])
    }

    static let commands: [[String]] = [
      ["ask", "--only", "local", "--local-model", "FILE", "Hi"],
      ["plan", "--only", "local", "--local-model", "FILE", "Hi"],
      ["tokens", "--local-model", "FILE", "Hi"],
      ["embed", "--pooling", "mean", "--local-model", "FILE", "Hi"],
      ["models", "tune", "FILE"], ["models", "check", "FILE"],
    ]

    /// A model file is what a command needs and no input of it: 69, however it is unfit.
    @Test(arguments: commands)
    func `a model file that cannot serve ends every command with 69`(
      command: [String]
    ) async throws {
      try await Self.withFolder { folder in
        try Self.put("cut.gguf", Array(GGUFWriter.tinyModel().file().dropLast(100)), in: folder)
        try Self.put("empty.gguf", [], in: folder)
        try Self.put("text.gguf", Array("{}".utf8), in: folder)
        for (name, change) in [
          ("layers", { $0.set("llama.block_count", .uint32(2)) }),
          ("vocabulary", { $0.tensors = [] }),
          ("reranker", { $0.set("llama.pooling_type", .uint32(4)) }),
          ("unknown", { $0.set("general.architecture", .uint32(1)) }),
        ] as [(String, (inout GGUFWriter) -> Void)] {
          var writer = GGUFWriter.tinyModel()
          change(&writer)
          try Self.put(name + ".gguf", writer.file(), in: folder)
        }
        try FileManager.default.createDirectory(
          atPath: folder + "/folder.gguf", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
          atPath: folder + "/loop.gguf", withDestinationPath: "loop.gguf")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) + ["none.gguf"] {
          // Without weights there are tokens to count all the same.
          if command[0] == "tokens", ["vocabulary.gguf", "reranker.gguf"].contains(name) {
            continue
          }
          let result = try await Self.run(
            command.map { $0 == "FILE" ? "\(folder)/\(name)" : $0 })
          #expect(result.status == 69, "\(name): \(result.errors)")
        }
      }
    }

    /// In the folder that the user is in, as a shell completes them.
    @Test(arguments: [
      ("pipe", "not a regular file"), ("folder", "a folder"), ("loop", "leads back to itself"),
      ("broken", "a link to a file that is not there"),
    ])
    func `what stands in the folder is no unknown name`(name: String, says: String) async throws {
      try await Self.withFolder { folder in
        #expect(unsafe mkfifo(folder + "/pipe", 0o600) == 0)
        try FileManager.default.createDirectory(
          atPath: folder + "/folder", withIntermediateDirectories: true)
        for (link, target) in [("loop", "loop"), ("broken", "nothing")] {
          try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/\(link)", withDestinationPath: target)
        }
        let result = try await HybridProcess.run(
          [
            "-c", "cd \"$1\" && exec \"$2\" models check \"$3\"", "sh", folder, BuiltProgram.path,
            name,
          ],
          environment: ["PREFIX": "/nowhere", "HOME": "/nowhere"], program: "/bin/sh")
        #expect(result.status == 69)
        let told = result.output + result.errors
        #expect(told.contains(says), "\(told)")
        #expect(!told.contains("error 40") && !told.contains("no model named"), "\(told)")
      }
    }

    @Test(arguments: ["/dev/full", "/dev/null/x", "/proc"])
    func `a cache that cannot be used is a configuration error that names the folder`(
      cache: String
    ) async throws {
      try await Self.withFolder { folder in
        try Self.put("tiny.gguf", GGUFWriter.tinyModel().file(), in: folder)
        let result = try await HybridProcess.run(
          ["models", "tune", "--json", folder + "/tiny.gguf"],
          environment: ["XDG_CACHE_HOME": cache, "HYBRID_THREADS": "1"])
        #expect(result.status == 78, "\(result.output)")
        let error = try JSONReader().read(result.output)["error"]
        #expect(error?["code"] == "invalidConfiguration")
        #expect(error?["details"]?["folder"]?.string == cache + "/hybridkit/models")
      }
    }
  }

  /// Ctrl-C while the local model works without a stream.
  @Suite(.serialized) struct LocalInterruptTests {
    static let signals: [(SignalNumber, Int32, String)] = [
      (.interrupt, 130, "interrupted"), (.terminate, 143, "terminated"),
    ]

    @Test(arguments: signals.indices)
    func `a signal ends tuning with a word, and leaves nothing`(index: Int) async throws {
      let (signal, status, word) = Self.signals[index]
      let cache = FileManager.default.temporaryDirectory.appending(path: "stop-\(UUID())").path()
      defer { try? FileManager.default.removeItem(atPath: cache) }
      // Steps are told on a terminal; the first comes when the signals are held.
      let process = try HybridProcess(
        ["models", "tune", "--json"], errors: .terminal,
        environment: ["XDG_CACHE_HOME": cache, "HYBRID_THREADS": "1"])
      await process.waitForErrors { !$0.isEmpty }
      process.send(signal.rawValue)
      let result = await process.result()
      #expect(result.status == status)
      #expect(result.errors.contains("\(word): tuning was stopped"), "\(result.errors)")
      #expect(try JSONReader().read(result.output)["error"]?["code"] == "cancelled")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: cache + "/hybridkit/models") == [])
    }

    #if os(Linux)
      @Test(arguments: signals.indices, [[], ["--json"], ["--jsonl"]])
      func `a signal ends embedding with a word`(index: Int, format: [String]) async throws {
        let (signal, status, word) = Self.signals[index]
        let text = Array(repeating: "why is the sky blue? ", count: 60).joined()
        let process = try HybridProcess(
          ["embed", "--pooling", "mean"] + format,
          input: .text(Array(repeating: text, count: 500).joined(separator: "\n")),
          environment: ["HYBRID_THREADS": "1"])
        // The thread that computes: the signals are held by then, and there is work for minutes.
        while !process.threadNames().contains(where: { $0.hasPrefix("hybrid-embed") }) {
          await Task.yield()
        }
        process.send(signal.rawValue)
        let result = await process.result()
        #expect(result.status == status)
        #expect(result.errors.contains("\(word): "), "\(result.errors)")
        switch format.first {
        case "--json":
          #expect(try JSONReader().read(result.output)["error"]?["code"] == "cancelled")
        case "--jsonl":
          let event = try JSONReader().read(result.output)
          #expect(event["event"] == "error" && event["code"] == "cancelled")
        default: #expect(result.output.isEmpty)
        }
      }
    #endif
  }
#endif

import Foundation
import HybridCore
import ModelFileCases
import Testing

@testable import hybrid

/// `hybrid models` and `hybrid models check` over files of their own. They need no llama.cpp.
@Suite struct ModelsCheckProcessTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "check-\(UUID())")

  private func withFolder(_ body: (String) async throws -> Void) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.path())
  }

  private func put(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = folder.appending(path: name).path()
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  private func run(_ arguments: [String]) async throws -> HybridProcess.Result {
    try await HybridProcess.run(
      ["models"] + arguments,
      environment: [
        "PREFIX": "/nowhere", "HOME": "/nowhere", "HYBRID_MODELS_DIR": folder.path(),
      ])
  }

  @Test func `a good file ends with 0, and a bad one and none with 69`() async throws {
    try await withFolder { folder in
      let good = try put("good.gguf", GGUFWriter.tinyModel().file())
      let bad = try put("bad.gguf", Array(GGUFWriter.tinyModel().file().dropLast(100)))
      for name in [good, "good"] {
        let result = try await run(["check", name])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("Good by its header: a chat model"))
      }
      let json = try await run(["check", "--json", bad])
      #expect(json.status == 69)
      let report = try JSONReader().read(json.output)
      #expect(report["good"]?.bool == false)
      #expect(report["error"]?["details"]?["kind"] == "truncated")
      #expect(try await run(["check", folder]).status == 69)
      for missing in ["/nowhere/at/all.gguf", "nobody"] {
        let result = try await run(["check", missing])
        #expect(result.status == 69)
        #expect(result.output.isEmpty)
      }
      // Without a name the default model: the first that is found.
      #expect(try await run(["check"]).status == 69)
    }
  }

  @Test func `the hash decides too`() async throws {
    try await withFolder { _ in
      let path = try put("good.gguf", GGUFWriter.tinyModel().file())
      let wrong = try await run(["check", "--sha256", String(repeating: "0", count: 64), path])
      #expect(wrong.status == 69)
      #expect(wrong.output.contains("FAILED   sha256"))
      let line = try #require(
        wrong.output.split(separator: "\n").first { $0.contains("SHA-256 is") })
      let digest = try #require(line.split(separator: " ").first { $0.count == 65 }).dropLast()
      #expect(try await run(["check", "--sha256", String(digest), path]).status == 0)
    }
  }

  @Test func `a listing has the broken file with its problem, beside the sound one`() async throws {
    try await withFolder { _ in
      _ = try put("a.gguf", Array("GGUF".utf8))
      _ = try put("b.gguf", GGUFWriter.tinyModel().file())
      let text = try await run([])
      #expect(text.status == 0)
      #expect(text.output.contains("cannot be used: "))
      #expect(text.output.contains("chat: llama, F32, trained on 256 tokens"))
      let models = try JSONReader().read(try await run(["--json"]).output)["models"]?.array ?? []
      #expect(models.map { $0["problem"]?["code"] } == ["modelFileInvalid", nil])
      #expect(models.map { $0["template"] } == [.null, "own"])
      #expect(models[1]["memory"]?.int != nil)
      #expect((models[1]["fastShare"] == .null) == !LocalSetup.isBuiltIn)
    }
  }

  @Test(
    arguments: [
      (["--sha256", "00"], "is for checking"), (["tune", "--sha256", "00"], "is for checking"),
      (["check", "--sha256", "00", "x"], "64 hexadecimal digits"),
      (["check", "--force"], "is for tuning"), (["check", "a", "b"], "unexpected 'b'"),
    ] as [([String], String)])
  func `a wrong option ends with usage`(arguments: [String], message: String) async throws {
    let result = try await run(arguments)
    #expect(result.status == 64)
    #expect(result.errors.contains(message), "\(result.errors)")
  }
}

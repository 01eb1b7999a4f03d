import Foundation
import HybridCore
import Testing

@testable import hybrid

/// `hybrid models tune --remove` over a cache folder of its own. Needs no llama.cpp.
@Suite struct ModelsRemoveProcessTests {
  private let cache = FileManager.default.temporaryDirectory.appending(path: "remove-\(UUID())")

  private func run(_ arguments: [String]) async throws -> HybridProcess.Result {
    try await HybridProcess.run(
      ["models"] + arguments,
      environment: ["PREFIX": "/nowhere", "HOME": "/nowhere", "XDG_CACHE_HOME": cache.path()])
  }

  @Test func `what is removed is told with its bytes, once`() async throws {
    let folder = cache.appending(path: "hybridkit/models")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: cache) }
    let lost = folder.appending(path: "0123456789abcdef.Q8_0.gguf")
    let own = folder.appending(path: "mine.gguf")
    for file in [lost, own] { try Data(repeating: 7, count: 1_500).write(to: file) }

    let first = try await run(["tune", "--remove"])
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output == "removed \(lost.path())\n1 copy, 1.5 kB with the records.\n")
    #expect(FileManager.default.fileExists(atPath: own.path()))
    let second = try await run(["tune", "--remove"])
    #expect(second.output == "Nothing was removed: no tuned copy is kept.\n")
    let json = try JSONReader().read(try await run(["tune", "--remove", "--json"]).output)
    #expect(json["bytes"]?.int == 0 && json["removed"]?.array?.isEmpty == true)
  }

  @Test(
    arguments: [
      (["--remove"], 64, "is for tuning"), (["check", "--remove"], 64, "is for tuning"),
      (["tune", "--remove", "--force"], 64, "contradict"),
      (["tune", "--remove", "a", "b"], 64, "unexpected 'b'"),
      (["tune", "--remove", "nobody"], 69, "nobody"),
    ] as [([String], Int32, String)])
  func `a wrong use ends with its own code`(
    arguments: [String], status: Int32, says: String
  ) async throws {
    let result = try await run(arguments)
    #expect(result.status == status)
    #expect(result.errors.contains(says), "\(result.errors)")
  }
}

import Foundation
import HybridCore
import HybridLocal
import ModelFileCases
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct ModelListingTests {
  @Test func `each model is told by its header, and a bad one with its error`() throws {
    let folder = try ModelFolder()
    try folder.put("a-chat.gguf") { $0.set("general.license", .string("mit")) }
    try folder.put("b-broken.gguf", Array(GGUFWriter.tinyModel().file().prefix(900)))
    try folder.put("c-vector.gguf") { $0.set("llama.pooling_type", .uint32(1)) }
    try folder.put("d-big-00001-of-00003.gguf")
    let models = folder.reader.list(home: nil).models
    #expect(models.map(\.name) == ["a-chat", "b-broken", "c-vector", "d-big-00001-of-00003"])

    let chat = try models[0].facts.get()
    #expect(chat.use == .chat && chat.architecture == "llama" && chat.format == "F32")
    #expect(chat.trainedContextLength == 256 && chat.license == "mit" && chat.template == .own)
    #expect(chat.contextLength == 256)
    #expect(chat.parameterCount == 47_808)

    #expect(models[1].size == 900)
    #expect(models[1].error?.code == .modelFileInvalid)
    let vector = try models[2].facts.get()
    #expect(vector.use == .embedding && (vector.expectedMemory ?? 0) > 0 && vector.license == nil)
    #expect(models[3].error?.details["kind"] == "splitFile")
  }

  @Test func `what has a model's name and is no file is told with why`() throws {
    let folder = try ModelFolder()
    try folder.put("a-sound.gguf")
    func path(_ name: String) -> String { "\(folder.path)/\(name)" }
    try FileManager.default.createSymbolicLink(
      atPath: path("dangling.gguf"), withDestinationPath: path("gone"))
    try FileManager.default.createSymbolicLink(
      atPath: path("loop.gguf"), withDestinationPath: path("loop.gguf"))
    try #require(unsafe mkfifo(path("pipe.gguf"), 0o600) == 0)
    for name in ["folder.gguf", "full.gguf", "other"] {
      try FileManager.default.createDirectory(
        atPath: path(name), withIntermediateDirectories: true)
    }
    try folder.put("full.gguf/inner.gguf")
    let locator = ModelLocator(environment: folder.environment, home: nil)
    let listing = locator.list()
    #expect(listing.models.map(\.name) == ["a-sound", "inner"])
    #expect(
      listing.closed.map { "\($0.path.dropFirst(folder.path.count + 1)): \($0.reason)" } == [
        "dangling.gguf: this is a link to a file that is not there",
        "folder.gguf: this is a folder, not a file",
        "loop.gguf: this link leads back to itself",
        "pipe.gguf: this is not a regular file",
      ])
    #expect(listing.refused == nil)
    // A name means it too, and is told so instead of being nowhere.
    for name in ["dangling", "PIPE.gguf", "folder", "loop"] {
      let error = try #require(throws: HybridError.self) { try locator.find(name) }
      #expect(error.message.contains(".gguf: this "), "\(error.message)")
    }
    let nowhere = try #require(throws: HybridError.self) { try locator.find("nobody") }
    #expect(!nowhere.message.contains("not all of them"))
    #expect(
      nowhere.message.hasSuffix("folders that are looked in, 1 is there"), "\(nowhere.message)")
  }

  @Test func `the expected memory is a load's own estimate`() throws {
    let folder = try ModelFolder()
    let path = try folder.put()
    let header = try GGUFHeader(path: path)
    let slots = LoadPlan.Sharing.defaultSlots(
      cores: Machine.current.threadPlan().decode.count)
    let plan = try LoadPlan(
      header, memory: Machine.current.memoryBudget(), sharing: .init(slots: slots))
    let facts = try folder.reader.summary(of: path).facts.get()
    #expect(facts.expectedMemory == plan.estimate.totalBytes)
    #expect(facts.contextLength == plan.contextLength)
  }

  #if LocalLlama
    @Test func `fast kernels and the tuned copy are told`() throws {
      let folder = try ModelFolder()
      let facts = try folder.reader.summary(of: try folder.put()).facts.get()
      let kernels = try FastKernels.current()
      #expect(facts.fastShare == (kernels.kind(for: "F32") == nil ? 0 : 1))
      #expect(facts.tunedCopy?.format == nil && facts.tunedCopy != nil)
      let empty = try folder.reader.summary(of: try folder.put { $0.tensors = [] }).facts.get()
      #expect(empty.fastShare == nil)
    }
  #else
    @Test func `what only llama.cpp knows is not there`() throws {
      let folder = try ModelFolder()
      let facts = try folder.reader.summary(of: try folder.put()).facts.get()
      #expect(facts.fastShare == nil && facts.tunedCopy == nil)
    }
  #endif

  @Test func `the public face finds and checks by name`() async throws {
    let folder = try ModelFolder()
    try folder.put("Tiny.F32.gguf")
    let catalog = ModelCatalog(environment: folder.environment, home: nil)
    #expect(try await catalog.list().models.map(\.name) == ["Tiny.F32"])
    #expect(try await catalog.list().folders.contains(folder.path))
    #expect(try await catalog.summary(of: "tiny").size > 100_000)
    #expect(try await catalog.check("tiny").isGood)
    let error = await #expect(throws: HybridError.self) { try await catalog.check("nobody") }
    #expect(error?.code == .modelNotFound)
  }
}

extension ModelSummary {
  fileprivate var error: HybridError? {
    if case .failure(let error) = facts { error } else { nil }
  }
}

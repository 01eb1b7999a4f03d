import HybridCore
import HybridLocal
import Testing

struct EmbedderKindTests {
  private static func pooling(
    _ writer: GGUFWriter, asked: Pooling? = nil
  ) throws -> Pooling {
    try EmbedderKind.pooling(
      of: GGUFHeader(ModelBytes(writer.file())), path: "m.gguf", asked: asked)
  }

  @Test(arguments: [(1, Pooling.mean), (2, .cls), (3, .last)] as [(UInt32, Pooling)])
  func `the model's own pooling is taken unless another is asked for`(
    number: UInt32, pooling: Pooling
  ) throws {
    #expect(try Self.pooling(.tinyBERT(pooling: number)) == pooling)
    #expect(try Self.pooling(.tinyBERT(pooling: number), asked: .last) == .last)
  }

  @Test func `a chat model embeds only with an explicit pooling`() throws {
    #expect(try Self.pooling(.tinyModel(), asked: .mean) == .mean)
    let error = #expect(throws: HybridError.self) { try Self.pooling(.tinyModel()) }
    #expect(error?.code == .modelUnsupported)
    #expect(error?.message.contains("chat model") == true)
    #expect(error?.nextStep?.contains("--pooling mean") == true)
  }

  static let refused: [(says: String, make: @Sendable () -> GGUFWriter)] = [
    ("reranker", { .tinyBERT(pooling: 4) }),
    ("reranker", { changed(.tinyModel()) { $0.set("llama.pooling_type", .uint32(4)) } }),
    ("holds a vocabulary and no weights", { changed(.tinyBERT()) { $0.tensors = [] } }),
    ("holds a vocabulary and no weights", { changed(.tinyModel()) { $0.tensors = [] } }),
    ("diffusion", { renamed("dream") }),
    ("recurrent", { changed(renamed("mamba")) { $0.set("mamba.ssm.state_size", .uint32(16)) } }),
    ("T5", { changed(renamed("t5encoder")) { $0.set("t5encoder.pooling_type", .uint32(1)) } }),
  ]

  @Test(arguments: refused.indices)
  func `what gives no vectors is refused by name, with any pooling`(index: Int) {
    let (says, make) = Self.refused[index]
    for asked in [nil, Pooling.mean] {
      let error = #expect(throws: HybridError.self) { try Self.pooling(make(), asked: asked) }
      #expect(error?.code == .modelUnsupported)
      #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
      #expect(error?.nextStep != nil)
    }
  }

  @Test func `an encoder that does not say how it pools asks for it`() {
    for pooling in [nil, 0] as [UInt32?] {
      let error = #expect(throws: HybridError.self) {
        try Self.pooling(.tinyBERT(pooling: pooling))
      }
      #expect(error?.code == .modelUnsupported)
      #expect(error?.nextStep?.contains("cls") == true)
    }
  }

  @Test func `the chat side's refusal names what the model is for`() throws {
    let header = try GGUFHeader(ModelBytes(GGUFWriter.tinyBERT().file()))
    let error = #expect(throws: ModelFileError.self) { try header.requireChatModel() }
    #expect(error?.hybridError.nextStep?.contains("LocalEmbedder") == true)
    let reranker = try GGUFHeader(ModelBytes(GGUFWriter.tinyBERT(pooling: 4).file()))
    let other = #expect(throws: ModelFileError.self) { try reranker.requireChatModel() }
    #expect(other?.problem.contains("reranker") == true)
    #expect(other?.hybridError.nextStep?.contains("LocalEmbedder") == false)
  }

  @Test(arguments: ["none", "rank", "max", "Mean", ""])
  func `a pooling that gives no vector is refused by name`(name: String) {
    let error = #expect(throws: HybridError.self) { try Pooling(rawValue: name).validate() }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.details["option"] == "pooling")
    #expect(error?.message.contains("'\(name)'") == true)
  }

  private static func changed(
    _ writer: GGUFWriter, _ change: (inout GGUFWriter) -> Void
  ) -> GGUFWriter {
    var writer = writer
    change(&writer)
    return writer
  }

  private static func renamed(_ architecture: String) -> GGUFWriter {
    changed(.tinyModel()) { writer in
      writer.keys = writer.keys.map { key in
        (key.name.replacing("llama.", with: architecture + ".", maxReplacements: 1), key.value)
      }
      writer.set("general.architecture", .string(architecture))
    }
  }
}

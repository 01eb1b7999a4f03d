import HybridCore
import HybridLocal
import ModelFileCases
import Testing

/// Sound files of models that do not chat.
@Suite struct UnfitModelTests {
  @Test(arguments: [
    ("llama.pooling_type", GGUFWriter.Value.uint32(1), ModelFileError.Kind.embeddingModel),
    ("llama.attention.causal", .bool(false), .embeddingModel),
  ])
  func `an embedding model is sound but cannot chat`(
    key: String, value: GGUFWriter.Value, kind: ModelFileError.Kind
  ) throws {
    var writer = GGUFWriter.tinyModel()
    writer.set(key, value)
    let header = try GGUFHeader(ModelBytes(writer.file()))
    let error = #expect(throws: ModelFileError.self) { try header.requireChatModel() }
    #expect(error?.kind == kind)
    #expect(error?.hybridError.code == .modelUnsupported)
  }

  @Test(arguments: ["nomic-bert", "gemma-embedding", "t5", "dream", "eagle3"])
  func `an architecture made for something else cannot chat`(architecture: String) throws {
    var writer = GGUFWriter.tinyModel()
    writer.keys = writer.keys.map { key in
      (key.name.replacing("llama.", with: architecture + ".", maxReplacements: 1), key.value)
    }
    writer.set("general.architecture", .string(architecture))
    let header = try GGUFHeader(ModelBytes(writer.file()))
    #expect(throws: ModelFileError.self) { try header.requireChatModel() }
  }
}

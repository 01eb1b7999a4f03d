import HybridCore
import HybridLocal
import Testing

struct EmbedderPlanTests {
  private static func header(_ writer: GGUFWriter) throws -> GGUFHeader {
    try GGUFHeader(ModelBytes(writer.file()))
  }

  private static func memory(_ bytes: UInt64) -> MemoryBudget {
    MachineTree(cores: 1, availableMemoryBytes: bytes).machine.memoryBudget()
  }

  /// The model, with what it was trained on.
  private static func encoder(trained: UInt32) throws -> GGUFHeader {
    var writer = GGUFWriter.tinyBERT()
    writer.set("bert.context_length", .uint32(trained))
    for index in writer.tensors.indices where writer.tensors[index].name == "position_embd.weight" {
      writer.tensors[index] = .init(
        name: "position_embd.weight", dimensions: [64, UInt64(trained)], type: 8)
    }
    return try header(writer)
  }

  @Test(arguments: [(64, 64, 64), (512, 512, 512), (8_192, 2_048, 2_048)] as [(UInt32, Int, Int)])
  func `a text may have what the model was trained on, up to a limit`(
    trained: UInt32, length: Int, batch: Int
  ) throws {
    let plan = try EmbedderPlan(Self.encoder(trained: trained), memory: Self.memory(8 << 30))
    #expect(plan.contextLength == length)
    #expect(plan.batch == batch)
  }

  @Test func `a short context still has room for texts that share a batch`() throws {
    let plan = try EmbedderPlan(
      Self.encoder(trained: 8_192), memory: Self.memory(8 << 30), explicit: 100)
    #expect(plan.contextLength == 100)
    #expect(plan.batch == EmbedderPlan.sharedTokens)
  }

  @Test func `an encoder keeps nothing and computes no logits, a chat model does`() throws {
    let header = try Self.encoder(trained: 512)
    let encoder = try EmbedderPlan(header, memory: Self.memory(8 << 30))
    #expect(encoder.estimate.keyValueBytes == 0)
    #expect(
      encoder.estimate.computeBytes
        == 512 * 4 * (4 * 64 + 2 * 2 * 32 + 3 * 128) + 512 * 2 * 512
        + 512 * 4 * header.vocabulary.size)
    var writer = GGUFWriter.tinyModel()
    writer.set("llama.context_length", .uint32(4_096))
    let chat = try EmbedderPlan(Self.header(writer), memory: Self.memory(8 << 30))
    #expect(chat.contextLength == EmbedderPlan.defaultLimitWithLogits)
    #expect(chat.estimate.keyValueBytes == (32 + 32) * 2 * 512)
    #expect(
      chat.estimate.computeBytes
        == 512 * 4 * (4 * 64 + 2 * 2 * 32 + 3 * 96) + 512 * 2 * 512 + 512 * 8 * 264)
  }

  @Test func `memory that is short shortens the context, and is refused at last`() throws {
    let header = try Self.encoder(trained: 8_192)
    let full = try EmbedderPlan(header, memory: Self.memory(8 << 30))
    let need = full.estimate.totalBytes
    // A tenth has to stay free.
    let tight = try EmbedderPlan(header, memory: Self.memory(UInt64(need)))
    #expect(tight.contextLength == full.contextLength / 2)
    try tight.requireMemory()
    let least = try EmbedderPlan(header, memory: Self.memory(1 << 20))
    #expect(least.contextLength == EmbedderPlan.smallest)
    let error = #expect(throws: HybridError.self) { try least.requireMemory() }
    #expect(error?.code == .insufficientMemory)
    #expect(error?.details["needed"]?.int == least.estimate.totalBytes)
    #expect(error?.details["available"]?.int == 1 << 20)
    // What was asked for is never changed.
    let explicit = try EmbedderPlan(header, memory: Self.memory(1 << 20), explicit: 4_096)
    #expect(explicit.contextLength == 4_096)
  }

  @Test(arguments: [0, -1, 513, .max])
  func `a context that the model has no places for is refused`(length: Int) throws {
    let header = try Self.encoder(trained: 512)
    let error = #expect(throws: HybridError.self) {
      try EmbedderPlan(header, memory: Self.memory(8 << 30), explicit: length)
    }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.details["trainedContextLength"]?.int == 512)
  }
}

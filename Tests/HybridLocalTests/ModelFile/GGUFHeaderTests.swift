import Foundation
import HybridLocal
import ModelFileCases
import Testing

/// Where `Fixtures/bootstrap` puts models and test data.
let sharedFolder =
  (ProcessInfo.processInfo.environment["PREFIX"] ?? "/usr/local") + "/share/hybridkit"
let defaultModelPath = sharedFolder + "/models/SmolLM2-135M-Instruct.Q4_1.gguf"

@Suite struct GGUFHeaderTests {
  @Test func `a small sound model is read whole`() throws {
    let bytes = GGUFWriter.tinyModel().file()
    let header = try GGUFHeader(ModelBytes(bytes))
    try header.requireChatModel()
    #expect(header.architecture == "llama")
    #expect(header.name == "Tiny")
    #expect(header.quantization == "F32")
    #expect(header.shape.blockCount == 1)
    #expect(header.shape.headCounts == [2])
    #expect(header.shape.keyValueHeadCounts == [1])
    #expect(header.shape.keyLength == 32)
    #expect(header.shape.valueLength == 32)
    #expect(header.shape.trainedContextLength == 256)
    #expect(header.vocabulary.size == 264)
    #expect(header.vocabulary.addsBeginningOfText == true)
    #expect(header.vocabulary.chatTemplate == "{{ messages[0].content }}")
    #expect(header.tensorCount == 11)
    #expect(header.fileSize == UInt64(bytes.count))
    #expect(header.tensorBytes == header.parameterCount * 4)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: defaultModelPath)))
  func `the default model is read right`() throws {
    let model = try GGUFHeader(path: defaultModelPath)
    try model.requireChatModel()
    #expect(model.architecture == "llama")
    #expect(model.name == "Smollm2 135M 8k Lc100K Mix1 Ep2")
    #expect(model.license == "apache-2.0")
    #expect(model.sizeLabel == "135M")
    #expect(model.quantization == "Q4_1")
    #expect(model.shape.trainedContextLength == 8_192)
    #expect(model.shape.blockCount == 30)
    #expect(model.shape.embeddingLength == 576)
    #expect(model.shape.feedForwardLength == 1_536)
    #expect(model.shape.headCounts == Array(repeating: 9, count: 30))
    #expect(model.shape.keyValueHeadCounts == Array(repeating: 3, count: 30))
    #expect(model.shape.keyLength == 64)
    #expect(model.shape.slidingWindow == nil)
    #expect(model.shape.recurrentStateBytes == nil)
    #expect(model.vocabulary.model == "gpt2")
    #expect(model.vocabulary.preTokenizer == "smollm")
    #expect(model.vocabulary.size == 49_152)
    #expect(model.vocabulary.mergeCount == 48_900)
    #expect(model.vocabulary.beginningOfText == 1)
    #expect(model.vocabulary.endOfText == 2)
    #expect(model.vocabulary.addsBeginningOfText == false)
    #expect(model.vocabulary.chatTemplate?.hasPrefix("{% for message in messages %}") == true)
    #expect(model.fileSize == 98_362_432)
    #expect(model.tensorCount == 272)
    #expect(model.parameterCount == 134_515_008)
  }

  static let vocabularies = [
    ("aquila", 100_008), ("baichuan", 64_000), ("bert-bge", 30_522), ("command-r", 256_000),
    ("deepseek-coder", 32_256), ("deepseek-llm", 102_400), ("falcon", 65_024),
    ("gemma-4", 262_144), ("gpt-2", 50_257), ("gpt-neox", 50_432), ("llama-bpe", 128_256),
    ("llama-spm", 32_000), ("mpt", 50_432), ("nomic-bert-moe", 250_048), ("phi-3", 32_064),
    ("qwen2", 151_936), ("qwen35", 151_936), ("refact", 49_216), ("starcoder", 49_152),
  ]

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: sharedFolder + "/testing/vocab")),
    arguments: vocabularies)
  func `each test vocabulary is read, and refused as a chat model`(name: String, size: Int) throws {
    let header = try GGUFHeader(path: sharedFolder + "/testing/vocab/ggml-vocab-\(name).gguf")
    #expect(header.vocabulary.size == size)
    #expect(!header.hasWeights)
    #expect(header.vocabulary.ignoredTokens.isEmpty)
    let error = #expect(throws: ModelFileError.self) { try header.requireChatModel() }
    #expect(error?.kind == .vocabularyOnly)
  }

  @Test func `a large array is passed over, whatever it holds`() throws {
    var writer = GGUFWriter.tinyModel()
    writer.keys.insert(
      ("general.numbers", .float32s(Array(repeating: 1, count: 300_000))), at: 3)
    writer.keys.insert(
      ("general.words", .strings((0..<5_000).map { "word \($0)" })), at: 4)
    #expect(try GGUFHeader(ModelBytes(writer.file())).shape.blockCount == 1)
  }

  @Test func `per-layer heads are kept layer by layer`() throws {
    var writer = GGUFWriter.tinyModel()
    writer.set("llama.block_count", .uint32(3))
    writer.set("llama.attention.head_count", .uint32s([2, 4, 2]))
    writer.set("llama.attention.head_count_kv", .int32s([1, 2, 0]))
    writer.become("granite")
    let header = try GGUFHeader(ModelBytes(writer.file()))
    #expect(header.shape.headCounts == [2, 4, 2])
    #expect(header.shape.keyValueHeadCounts == [1, 2, 0])
  }

  @Test func `a state-space model has a state and no heads`() throws {
    var writer = GGUFWriter.tinyModel()
    writer.keys = writer.keys.map { key in
      (key.name.replacing("llama.", with: "mamba.", maxReplacements: 1), key.value)
    }
    writer.set("general.architecture", .string("mamba"))
    writer.set("mamba.attention.head_count", .uint32(0))
    writer.set("mamba.attention.head_count_kv", .uint32(0))
    writer.set("mamba.ssm.conv_kernel", .uint32(4))
    writer.set("mamba.ssm.inner_size", .uint32(128))
    writer.set("mamba.ssm.state_size", .uint32(16))
    let header = try GGUFHeader(ModelBytes(writer.file()))
    try header.requireChatModel()
    #expect(header.shape.recurrentStateBytes != nil)
    #expect(header.shape.recurrentStateBytes == (3 * 128 + 128 * 16) * 4)
  }

  @Test func `special tokens outside the vocabulary are left out and named`() throws {
    var writer = GGUFWriter.tinyModel()
    writer.set("tokenizer.ggml.padding_token_id", .uint32(.max))
    let header = try GGUFHeader(ModelBytes(writer.file()))
    #expect(header.vocabulary.ignoredTokens == ["tokenizer.ggml.padding_token_id"])
  }

  @Test func `a file without its format is named by what fills it`() throws {
    var writer = GGUFWriter.tinyModel()
    writer.become("granite")
    writer.remove("general.file_type")
    writer.tensors[0].type = 8
    #expect(try GGUFHeader(ModelBytes(writer.file())).quantization == "F32")
    writer.tensors[0].dimensions = [64, 15_000]
    #expect(try GGUFHeader(ModelBytes(writer.file())).quantization == "Q8_0")
  }
}

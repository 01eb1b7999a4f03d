import Foundation
import HybridCore
import HybridLocal
import Testing

@Suite struct MemoryEstimateTests {
  static func header(_ change: (inout GGUFWriter) -> Void = { _ in }) throws -> GGUFHeader {
    var writer = GGUFWriter.tinyModel()
    change(&writer)
    return try GGUFHeader(ModelBytes(writer.file()))
  }

  static func memory(_ bytes: UInt64) -> MemoryBudget {
    MachineTree(cores: 1, availableMemoryBytes: bytes).machine.memoryBudget()
  }

  @Test func `each part follows its formula`() throws {
    let header = try Self.header()
    let estimate = MemoryEstimate(header, contextLength: 512, microBatch: 64)
    #expect(estimate.weightBytes == Int(header.tensorBytes))
    #expect(estimate.vocabularyBytes == 200 * 264)
    #expect(estimate.keyValueBytes == 1 * (32 + 32) * 2 * 512)
    #expect(estimate.recurrentBytes == 0)
    #expect(
      estimate.computeBytes
        == 64 * 4 * (4 * 64 + 2 * 2 * 32 + 3 * 96) + 64 * 2 * 512 + 8 * 264)
  }

  @Test(arguments: [(1, 256), (256, 256), (257, 512)])
  func `a context counts in steps of 256`(length: Int, cells: Int) throws {
    let estimate = MemoryEstimate(try Self.header(), contextLength: length)
    #expect(estimate.keyValueBytes == 128 * cells)
  }

  @Test func `layers count with their own heads`() throws {
    let header = try Self.header {
      $0.set("llama.block_count", .uint32(3))
      $0.set("llama.attention.head_count", .uint32s([2, 4, 2]))
      $0.set("llama.attention.head_count_kv", .uint32s([1, 2, 0]))
    }
    #expect(MemoryEstimate(header, contextLength: 256).keyValueBytes == 3 * 128 * 256)
  }

  @Test func `a header that asks for the impossible asks for the largest number`() throws {
    let header = try Self.header {
      $0.set("llama.block_count", .uint32(512))
      $0.set("llama.attention.head_count", .uint32(65_536))
      $0.set("llama.attention.head_count_kv", .uint32(65_536))
      $0.set("llama.attention.key_length", .uint32(65_536))
      $0.set("llama.attention.value_length", .uint32(65_536))
      $0.set("llama.rope.dimension_count", .uint32(65_536))
    }
    #expect(MemoryEstimate(header, contextLength: 1 << 30).totalBytes == .max)
    #expect(MemoryEstimate(header, contextLength: .max).totalBytes == .max)
  }

  /// Growth of resident memory over load and a full context, measured with llama.cpp 0.5.0.
  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: defaultModelPath)),
    arguments: [(512, 138.6), (2_048, 175.1), (8_192, 317.1)])
  func `the estimate is near what was measured`(context: Int, mebibytes: Double) throws {
    let header = try GGUFHeader(path: defaultModelPath)
    let estimate = Double(MemoryEstimate(header, contextLength: context).totalBytes) / 1_048_576
    #expect(abs(estimate / mebibytes - 1) < 0.05, "\(estimate) MiB")
  }
}

@Suite struct LoadPlanTests {
  @Test func `the trained length is taken where it is small`() throws {
    let header = try MemoryEstimateTests.header()
    let plan = try LoadPlan(header, memory: MemoryEstimateTests.memory(1 << 30))
    #expect(plan.contextLength == 256)
    #expect(plan.source == .trained)
    #expect(plan.fits)
  }

  @Test func `the limit holds a long context back`() throws {
    let header = try MemoryEstimateTests.header { $0.set("llama.context_length", .uint32(131_072)) }
    let plan = try LoadPlan(header, memory: MemoryEstimateTests.memory(1 << 40))
    #expect(plan.contextLength == 8_192)
    #expect(plan.source == .limit)
  }

  @Test func `memory shortens the context, down to a floor`() throws {
    // 64 layers with two heads of 1,024 numbers: 512 KiB a token.
    let header = try MemoryEstimateTests.header {
      $0.set("llama.context_length", .uint32(8_192))
      $0.set("llama.block_count", .uint32(64))
      $0.set("llama.attention.head_count_kv", .uint32(2))
      $0.set("llama.attention.key_length", .uint32(1_024))
      $0.set("llama.attention.value_length", .uint32(1_024))
      $0.set("llama.rope.dimension_count", .uint32(1_024))
    }
    let some = try LoadPlan(header, memory: MemoryEstimateTests.memory(2 << 30))
    #expect(some.source == .memory)
    #expect((3_072...3_584).contains(some.contextLength))
    #expect(some.estimate.totalBytes <= (2 << 30) / 10 * 9)
    #expect(some.fits)

    let little = try LoadPlan(header, memory: MemoryEstimateTests.memory(64 << 20))
    #expect(little.contextLength == 512)
    #expect(!little.fits)
    let error = #expect(throws: HybridError.self) { try little.requireMemory() }
    #expect(error?.code == .insufficientMemory)
    #expect(error?.details["available"]?.int == 64 << 20)
  }

  @Test func `an explicit length is kept, and judged by itself`() throws {
    let header = try MemoryEstimateTests.header()
    let memory = MemoryEstimateTests.memory(1 << 30)
    #expect(try LoadPlan(header, memory: memory, explicit: 100).contextLength == 100)
    #expect(try LoadPlan(header, memory: memory, explicit: 100).source == .explicit)
    for wrong in [0, -5, 257, Int.max] {
      let error = #expect(throws: HybridError.self) {
        try LoadPlan(header, memory: memory, explicit: wrong)
      }
      #expect(error?.code == .invalidConfiguration)
    }
    let longer = try LoadPlan(
      header, memory: memory, explicit: 1_024, allowsBeyondTrained: true)
    #expect(longer.contextLength == 1_024)
  }

  @Test func `a machine that does not tell its memory refuses nothing`() throws {
    let plan = try LoadPlan(
      MemoryEstimateTests.header(), memory: MachineTree().machine.memoryBudget())
    #expect(plan.memoryNeed == nil)
    try plan.requireMemory()
  }
}

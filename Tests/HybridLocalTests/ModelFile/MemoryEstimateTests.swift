import Foundation
import HybridCore
import HybridLocal
import ModelFileCases
import Testing

@Suite struct MemoryEstimateTests {
  static func header(_ change: (inout GGUFWriter) -> Void = { _ in }) throws -> GGUFHeader {
    var writer = GGUFWriter.tinyModel()
    change(&writer)
    // Of which it is not known what tensors the numbers ask for.
    writer.become("granite")
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

/// How several requests share one context.
@Suite struct LoadSharingTests {
  typealias Sharing = LoadPlan.Sharing

  /// A model with 4 KiB of keys and values a token, trained on so many tokens.
  static func header(trained: UInt32 = 8_192) throws -> GGUFHeader {
    try MemoryEstimateTests.header {
      $0.set("llama.context_length", .uint32(trained))
      $0.set("llama.block_count", .uint32(32))
    }
  }

  static func plan(
    _ sharing: Sharing, explicit: Int? = nil, trained: UInt32 = 8_192, bytes: UInt64 = 1 << 34
  ) throws -> LoadPlan {
    try LoadPlan(
      header(trained: trained), memory: MemoryEstimateTests.memory(bytes), explicit: explicit,
      sharing: sharing)
  }

  static let totals:
    [(
      says: String, Sharing, explicit: Int?, trained: UInt32, one: Int, all: Int,
      LoadPlan.TotalSource
    )] =
      [
        ("one alone has all", Sharing(), nil, 8_192, 8_192, 8_192, .requests),
        (
          "the default limit is for all together", Sharing(slots: 4), nil, 8_192, 8_192, 8_192,
          .limit
        ),
        ("a short one is there for each", Sharing(slots: 4), nil, 1_024, 1_024, 4_096, .requests),
        ("and up to the limit", Sharing(slots: 16), nil, 1_024, 1_024, 8_192, .limit),
        ("an explicit one likewise", Sharing(slots: 4), 512, 8_192, 512, 2_048, .requests),
        (
          "at least what one may take", Sharing(slots: 4), 32_768, 32_768, 32_768, 32_768,
          .oneRequest
        ),
        (
          "an explicit total is kept", Sharing(slots: 4, totalLength: 1_500), 512, 8_192, 512,
          1_500,
          .explicit
        ),
        (
          "and bounds what one may take", Sharing(slots: 4, totalLength: 1_500), nil, 8_192, 1_500,
          1_500, .explicit
        ),
        (
          "parts are held in full", Sharing(slots: 4, isSplit: true), 512, 8_192, 512, 2_048, .split
        ),
        (
          "whatever the limit", Sharing(slots: 4, isSplit: true), nil, 8_192, 8_192, 32_768, .split
        ),
      ]

  @Test(arguments: totals.indices)
  func `the total follows from what one may take`(index: Int) throws {
    let row = Self.totals[index]
    let plan = try Self.plan(row.1, explicit: row.explicit, trained: row.trained)
    #expect(plan.contextLength == row.one, "\(row.says)")
    #expect(plan.totalLength == row.all, "\(row.says)")
    #expect(plan.totalSource == row.6, "\(row.says)")
  }

  @Test(arguments: [1, 2, 7, 16, 128])
  func `the estimate is of all sequences and of the whole total`(slots: Int) throws {
    for isSplit in [false, true] {
      let plan = try Self.plan(Sharing(slots: slots, isSplit: isSplit), explicit: 300)
      // The cache has sequences of its own; split parts have none.
      #expect(plan.sequences == (isSplit ? slots : slots + max(8, slots)))
      #expect(plan.sequences <= 256)
      #expect(
        plan.estimate
          == MemoryEstimate(
            try Self.header(), contextLength: plan.totalLength, sequences: plan.sequences))
      let cells = (plan.totalLength + 255) / 256 * 256
      #expect(plan.estimate.keyValueBytes == 32 * 128 * cells)
    }
  }

  @Test func `where memory is short they do with less together before one gets less`() throws {
    let whole = try Self.plan(Sharing(slots: 8), explicit: 1_024)
    #expect(whole.totalLength == 8_192)
    let needed = UInt64(whole.estimate.totalBytes)
    // A tenth stays free, so just what is needed is not enough for the wish, and little less is.
    let short = try Self.plan(Sharing(slots: 8), explicit: 1_024, bytes: needed)
    #expect(short.contextLength == 1_024)
    #expect((4_096..<8_192).contains(short.totalLength))
    #expect(short.totalLength % 256 == 0)
    #expect(short.totalSource == .memory)
    #expect(short.estimate.totalBytes <= Int(needed) / 10 * 9)
    let next = try Self.plan(
      Sharing(slots: 8, totalLength: short.totalLength + 256), explicit: 1_024)
    #expect(next.estimate.totalBytes > Int(needed) / 10 * 9)
    let least = try Self.plan(Sharing(slots: 8), explicit: 1_024, bytes: 1 << 20)
    #expect(least.totalLength == 1_024)
    #expect(least.totalSource == .memory)
  }

  @Test func `parts and an explicit total cannot give way, so one gets less`() throws {
    let split = Sharing(slots: 4, isSplit: true)
    let full = try Self.plan(split)
    let half = UInt64(full.estimate.totalBytes) / 2
    let short = try Self.plan(split, bytes: half)
    #expect(short.source == .memory)
    #expect((512..<8_192).contains(short.contextLength))
    #expect(short.totalLength == 4 * short.contextLength)
    #expect(short.estimate.totalBytes <= Int(half) / 10 * 9)
    let refused = try Self.plan(Sharing(slots: 4, totalLength: 65_536), bytes: 64 << 20)
    #expect(throws: HybridError.self) { try refused.requireMemory() }
    #expect(!refused.fits)
  }

  static let impossible: [(Sharing, explicit: Int?)] = [
    (Sharing(slots: 0), nil), (Sharing(slots: -1), nil), (Sharing(slots: 129), nil),
    (Sharing(totalLength: 0), nil), (Sharing(totalLength: .min), nil),
    (Sharing(totalLength: .max), nil), (Sharing(totalLength: 511), 512),
    (Sharing(slots: 2, totalLength: 1_024, isSplit: true), nil),
  ]

  @Test(arguments: impossible.indices)
  func `what cannot be shared so is refused`(index: Int) throws {
    let (sharing, explicit) = Self.impossible[index]
    let error = #expect(throws: HybridError.self) {
      try Self.plan(sharing, explicit: explicit)
    }
    #expect(error?.code == .invalidConfiguration)
  }
}

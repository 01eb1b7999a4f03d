import ModelFileCases
import Testing

@testable import HybridLocal

@Suite struct FastKernelsTests {
  private static let x86: Set<String> = ["AVX", "AVX2", "F16C", "REPACK", "LLAMAFILE"]
  private static let arm: Set<String> = ["NEON", "DOTPROD", "REPACK"]

  @Test(
    arguments: [
      (x86, "Q8_0", FastKernels.Kind.tiled), (x86, "Q4_0", .repacked), (x86, "IQ4_NL", .repacked),
      (x86, "Q4_K", .repacked), (x86, "Q5_0", .tiled), (x86, "F16", .tiled),
      (x86, "Q4_1", nil), (x86, "Q5_1", nil), (x86, "Q6_K", nil),
      (x86.union(["AMX_INT8"]), "Q4_1", .matrixUnit),
      (["AVX", "REPACK", "LLAMAFILE"], "Q4_K", nil), (["AVX2", "REPACK"], "Q8_0", nil),
      (["AVX2", "REPACK"], "Q4_0", .repacked),
      (arm, "Q8_0", .repacked), (arm, "Q6_K", .repacked), (arm, "Q4_1", nil),
      (["NEON", "REPACK"], "Q4_0", nil), ([], "Q8_0", nil), (x86, "unheard of", nil),
    ] as [(Set<String>, String, FastKernels.Kind?)])
  func `a format has fast kernels where the features that they need are there`(
    features: Set<String>, type: String, kind: FastKernels.Kind?
  ) {
    #expect(FastKernels(features: features).kind(for: type) == kind)
  }

  @Test(
    arguments: [
      (x86, ["Q8_0", "Q4_0", "IQ4_NL"]), (arm, ["Q8_0", "Q4_0", "IQ4_NL"]),
      (["AVX2", "REPACK"], ["Q4_0", "IQ4_NL"]), ([], []),
    ] as [(Set<String>, [String])])
  func `candidates are the formats that this CPU is fast with`(
    features: Set<String>, names: [String]
  ) {
    #expect(FastKernels(features: features).candidates().map(\.name) == names)
  }

  @Test func `the share of a file is that of its matrices in bytes`() throws {
    var writer = GGUFWriter.tinyModel()
    // Of no architecture whose tensors are known, so that it may have these.
    writer.become("unheard-of")
    writer.tensors = [
      .init(name: "a.weight", dimensions: [32, 3], type: 8),
      .init(name: "b.weight", dimensions: [32, 5], type: 3),
      .init(name: "norm.weight", dimensions: [32], type: 0),
    ]
    let header = try GGUFHeader(ModelBytes(writer.file()))
    #expect(header.matrixBytes == ["Q8_0": 102, "Q4_1": 100])
    #expect(FastKernels(features: Self.x86).share(of: header) == 102.0 / 202)
    #expect(FastKernels(features: []).share(of: header) == 0)
  }

  @Test func `formats are known by name in any case`() {
    #expect(WeightFormat(named: "q8_0") == .q8)
    #expect(WeightFormat(named: "IQ4_NL")?.fileType == 25)
    #expect(WeightFormat(named: "Q5_1") == nil)
  }

  #if LocalLlama
    @Test func `llama.cpp tells what it runs with`() throws {
      let kernels = try FastKernels.current()
      #expect(!kernels.features.isEmpty)
      #expect(kernels.features.isSubset(of: FastKernels.deciding))
    }
  #endif
}

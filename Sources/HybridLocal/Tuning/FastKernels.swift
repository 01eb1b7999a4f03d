/// The formats of weights that llama.cpp multiplies fast on this CPU.
///
/// There are three ways, all read from the sources of llama.cpp 0.5.0: Intel's matrix unit
/// (`ggml-cpu/amx`), rows that are interleaved once a tensor is loaded (`ggml-cpu/repack.cpp`), and
/// kernels that work in tiles on the rows as they are (`ggml-cpu/llamafile/sgemm.cpp`, made for prompts).
/// For any other format each row is multiplied for itself: a prompt then takes two to three times as
/// long.
package struct FastKernels: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    /// By a unit that multiplies whole matrices.
    case matrixUnit
    /// Interleaved at the load, for prompts and answers.
    case repacked
    /// In tiles, for prompts.
    case tiled
  }

  /// What the CPU backend of llama.cpp was built with and runs with, by ggml's names.
  package let features: Set<String>

  package init(features: Set<String>) {
    self.features = features
  }

  /// - Parameter type: the name of a tensor's format, ``GGMLType/name``.
  /// - Returns: nil where there is none.
  package func kind(for type: String) -> Kind? {
    for row in Self.table where row.type == type {
      if row.needs.contains(where: { $0.isSubset(of: features) }) { return row.kind }
    }
    return nil
  }

  /// The candidates that this CPU has fast kernels for.
  package func candidates(among formats: [WeightFormat] = WeightFormat.all) -> [WeightFormat] {
    formats.filter { kind(for: $0.type.name) != nil }
  }

  /// Those of ggml's features that decide.
  package static let deciding: Set<String> = table.reduce(into: []) { names, row in
    for need in row.needs { names.formUnion(need) }
  }

  private struct Row {
    let type: String
    let kind: Kind
    /// Any of these sets of features is enough.
    let needs: [Set<String>]
  }

  private static let repackOnX86: Set<String> = ["REPACK", "AVX2"]
  private static let repackOnArm: Set<String> = ["REPACK", "NEON", "DOTPROD"]
  private static let tilesOnX86: Set<String> = ["LLAMAFILE", "AVX"]
  private static let tilesOnArm: Set<String> = ["LLAMAFILE", "NEON"]

  /// The first row of a type that holds counts. RISC-V, whose kernels depend on the length of a vector,
  /// and formats below four bits are left out.
  private static let table: [Row] = [
    Row(type: "Q4_0", kind: .matrixUnit, needs: [["AMX_INT8"]]),
    Row(type: "Q4_1", kind: .matrixUnit, needs: [["AMX_INT8"]]),
    Row(type: "Q8_0", kind: .matrixUnit, needs: [["AMX_INT8"]]),
    Row(type: "Q4_K", kind: .matrixUnit, needs: [["AMX_INT8"]]),
    Row(type: "Q5_K", kind: .matrixUnit, needs: [["AMX_INT8"]]),
    Row(type: "Q6_K", kind: .matrixUnit, needs: [["AMX_INT8"]]),
    Row(type: "IQ4_XS", kind: .matrixUnit, needs: [["AMX_INT8"]]),
    Row(type: "Q4_0", kind: .repacked, needs: [repackOnX86, repackOnArm, ["REPACK", "VXE"]]),
    Row(type: "Q4_K", kind: .repacked, needs: [repackOnX86, repackOnArm]),
    Row(type: "Q5_K", kind: .repacked, needs: [repackOnArm]),
    Row(type: "Q6_K", kind: .repacked, needs: [repackOnArm]),
    Row(type: "Q8_0", kind: .repacked, needs: [repackOnArm]),
    Row(type: "IQ4_NL", kind: .repacked, needs: [repackOnX86, repackOnArm]),
    Row(type: "MXFP4", kind: .repacked, needs: [repackOnX86, repackOnArm]),
    Row(type: "Q8_0", kind: .tiled, needs: [tilesOnX86]),
    Row(type: "Q4_0", kind: .tiled, needs: [tilesOnX86]),
    Row(type: "Q5_0", kind: .tiled, needs: [tilesOnX86]),
    Row(type: "IQ4_NL", kind: .tiled, needs: [tilesOnX86]),
    Row(type: "F32", kind: .tiled, needs: [tilesOnX86, tilesOnArm]),
    Row(type: "F16", kind: .tiled, needs: [["LLAMAFILE", "AVX", "F16C"], tilesOnArm]),
    Row(type: "BF16", kind: .tiled, needs: [["LLAMAFILE", "AVX2"]]),
  ]
}

extension FastKernels {
  /// How much of a file's weights is in formats with fast kernels, 0…1.
  package func share(of header: GGUFHeader) -> Double {
    let all = header.matrixBytes.values.reduce(0, +)
    let fast = header.matrixBytes.filter { kind(for: $0.key) != nil }.values.reduce(0, +)
    return all == 0 ? 0 : Double(fast) / Double(all)
  }
}

#if LocalLlama
  package import HybridCore

  extension FastKernels {
    /// Of the llama.cpp in use, on this CPU.
    ///
    /// - Throws: `modelLoadFailed` when the library is not usable.
    package static func current() throws(HybridError) -> FastKernels {
      try LlamaLibrary.start()
      return FastKernels(features: deciding.filter(LlamaLibrary.hasCPUFeature))
    }
  }
#endif

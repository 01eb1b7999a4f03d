/// A tensor's number format: weights are stored in blocks of a few bytes each.
package struct GGMLType: Sendable, Hashable {
  /// The name that llama.cpp gives the format.
  package let name: String
  /// False for whole numbers and doubles, with which ggml multiplies nothing, and for the formats of
  /// intermediate results: as weights, Q8_1 and Q8_K end the process at the first token, for ggml has
  /// no function there to call.
  var isForWeights: Bool {
    !["I8", "I16", "I32", "I64", "F64", "Q8_1", "Q8_K"].contains(name)
  }
  /// Weights in a block; a row holds whole blocks.
  package let blockSize: UInt64
  /// Bytes of a block.
  package let blockBytes: UInt64

  private init(_ name: String, _ blockSize: UInt64, _ blockBytes: UInt64) {
    self.name = name
    self.blockSize = blockSize
    self.blockBytes = blockBytes
  }

  /// The format of a number in the file; nil for numbers that are free, removed or new.
  ///
  /// Sizes are facts of the format, taken from the structures of llama.cpp 0.5.0's ggml: a block
  /// of Q4_1, for example, is two half-precision numbers and 32 half-bytes.
  package init?(number: UInt32) {
    guard let type = Self.table[number] else { return nil }
    self = type
  }

  private static let table: [UInt32: GGMLType] = [
    0: GGMLType("F32", 1, 4),
    1: GGMLType("F16", 1, 2),
    2: GGMLType("Q4_0", 32, 18),
    3: GGMLType("Q4_1", 32, 20),
    6: GGMLType("Q5_0", 32, 22),
    7: GGMLType("Q5_1", 32, 24),
    8: GGMLType("Q8_0", 32, 34),
    9: GGMLType("Q8_1", 32, 36),
    10: GGMLType("Q2_K", 256, 84),
    11: GGMLType("Q3_K", 256, 110),
    12: GGMLType("Q4_K", 256, 144),
    13: GGMLType("Q5_K", 256, 176),
    14: GGMLType("Q6_K", 256, 210),
    15: GGMLType("Q8_K", 256, 292),
    16: GGMLType("IQ2_XXS", 256, 66),
    17: GGMLType("IQ2_XS", 256, 74),
    18: GGMLType("IQ3_XXS", 256, 98),
    19: GGMLType("IQ1_S", 256, 50),
    20: GGMLType("IQ4_NL", 32, 18),
    21: GGMLType("IQ3_S", 256, 110),
    22: GGMLType("IQ2_S", 256, 82),
    23: GGMLType("IQ4_XS", 256, 136),
    24: GGMLType("I8", 1, 1),
    25: GGMLType("I16", 1, 2),
    26: GGMLType("I32", 1, 4),
    27: GGMLType("I64", 1, 8),
    28: GGMLType("F64", 1, 8),
    29: GGMLType("IQ1_M", 256, 56),
    30: GGMLType("BF16", 1, 2),
    34: GGMLType("TQ1_0", 256, 54),
    35: GGMLType("TQ2_0", 256, 66),
    39: GGMLType("MXFP4", 32, 17),
    40: GGMLType("NVFP4", 64, 36),
    41: GGMLType("Q1_0", 128, 18),
    42: GGMLType("Q2_0", 64, 18),
  ]

  /// The label of a file's format (`general.file_type`), as users know it from file names.
  static func fileTypeName(_ number: Int) -> String? {
    // llama.cpp sets bit 10 where it guessed the format itself.
    fileTypes[number & ~1024]
  }

  private static let fileTypes: [Int: String] = [
    0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1", 10: "Q2_K",
    11: "Q3_K_S", 12: "Q3_K_M", 13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S",
    17: "Q5_K_M", 18: "Q6_K", 19: "IQ2_XXS", 20: "IQ2_XS", 21: "Q2_K_S", 22: "IQ3_XS",
    23: "IQ3_XXS", 24: "IQ1_S", 25: "IQ4_NL", 26: "IQ3_S", 27: "IQ3_M", 28: "IQ2_S",
    29: "IQ2_M", 30: "IQ4_XS", 31: "IQ1_M", 32: "BF16", 36: "TQ1_0", 37: "TQ2_0",
    38: "MXFP4_MOE", 39: "NVFP4", 40: "Q1_0", 41: "Q2_0",
  ]
}

private import HybridLocal

extension BadFile {
  /// Entries of tensors, and their data.
  static let tensors: [BadFile] = [
    BadFile("a tensor without a name", .tensorName, .badTensor) { $0.tensors[1].name = "" },
    BadFile("a tensor name of 64 bytes", .tensorName, .tooLarge) {
      $0.tensors[1].name = String(repeating: "t", count: 64)
    },
    BadFile("a tensor twice", .duplicateTensor, .duplicateTensor) {
      $0.tensors[2].name = $0.tensors[1].name
    },
    BadFile("no dimensions", .dimensionCount, .badTensor) { $0.tensors[1].dimensions = [] },
    BadFile("five dimensions", .dimensionCount, .badTensor) {
      $0.tensors[1].dimensions = [64, 1, 1, 1, 1]
    },
    BadFile("a dimension of 0", .dimension, .badTensor) { $0.tensors[1].dimensions = [64, 0] },
    BadFile("a negative dimension", .dimension, .badTensor) {
      $0.tensors[1].dimensions = [UInt64.max - 63]
    },
    BadFile("a product that overflows", .overflow, .badTensor) {
      $0.tensors[1].dimensions = [1 << 32, 1 << 32]
    },
    BadFile("bytes that overflow", .overflow, .badTensor) {
      $0.tensors[1].dimensions = [1 << 31, 1 << 31]
    },
    BadFile("a norm of 16-bit numbers", .vectorType, .badTensor) { $0.tensors[1].type = 1 },
    BadFile("a norm of quantised numbers", .vectorType, .badTensor) { $0.tensors[1].type = 8 },
    BadFile("a matrix of whole numbers", .tensorType, .badTensor) { $0.tensors[3].type = 26 },
    BadFile("a matrix of intermediate results", .tensorType, .badTensor) { $0.tensors[3].type = 9 },
    BadFile("a matrix of others of them", .tensorType, .badTensor) { $0.tensors[3].type = 15 },
    BadFile("a row of half a block", .blocks, .badTensor) {
      $0.tensors[1].type = 8
      $0.tensors[1].dimensions = [48]
    },
    BadFile("a removed tensor type", .tensorType, .unknownTensorType) { $0.tensors[1].type = 4 },
    BadFile("an unknown tensor type", .tensorType, .unknownTensorType) { $0.tensors[1].type = 43 },
    BadFile("a tensor type without end", .tensorType, .unknownTensorType) {
      $0.tensors[1].type = .max
    },
    BadFile("an unaligned place", .place, .misplacedTensor) { $0.tensors[1].offset = 7 },
    BadFile("a place on top of another", .place, .misplacedTensor) { $0.tensors[2].offset = 0 },
    BadFile("a place beyond the file", .place, .misplacedTensor) { $0.tensors[1].offset = 1 << 40 },
    BadFile("a place at the end of numbers", .place, .misplacedTensor) {
      $0.tensors[1].offset = .max - 31
    },
    BadFile("too little data", .dataCut, .truncated) { $0.tensors[10].bytes = 64 },
    BadFile("a larger tensor than the file", .dataCut, .truncated) {
      $0.tensors[10].dimensions = [96, 1 << 40]
    },
    BadFile("dimensions without end", .dimensionCount, .badTensor) {
      $0.tensors[1].dimensions = Array(repeating: 1, count: 64)
    },
    BadFile("places that overflow", .overflow, .badTensor) {
      $0.tensors[1].dimensions = [1 << 59, 2]
      $0.tensors[1].bytes = 0
    },
  ]
}

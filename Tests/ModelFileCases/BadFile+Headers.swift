private import HybridLocal

extension BadFile {
  /// The first 24 bytes.
  static let headers: [BadFile] = [
    BadFile("false magic", .magic, .notGGUF) { $0.magic = bytes("GGUG") },
    BadFile("version 0", .version, .unsupportedVersion) { $0.version = 0 },
    BadFile("version 1", .version, .unsupportedVersion) { $0.version = 1 },
    BadFile("version 4", .version, .unsupportedVersion) { $0.version = 4 },
    BadFile("big-endian order", .byteOrder, .bigEndian) { $0.version = UInt32(3).byteSwapped },
    BadFile("more keys than the file can hold", .keyCount, .truncated) { $0.keyCount = 60_000 },
    BadFile("keys without end", .keyCount, .tooLarge) { $0.keyCount = .max },
    BadFile("one key too many", .keyCount, .tooLarge) { $0.keyCount = UInt64($0.keys.count) + 1 },
    BadFile("more tensors than the file can hold", .tensorCount, .truncated) {
      $0.tensorCount = 200_000
    },
    BadFile("tensors without end", .tensorCount, .tooLarge) { $0.tensorCount = 1 << 63 },
  ]
}

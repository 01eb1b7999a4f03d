/// Tells model files apart by their size and 64 pieces of 8 KiB, spread evenly from the head to the tail.
///
/// Costs half a megabyte of reading where the whole file is a hundred or more. Two models that differ
/// in their weights at all differ nearly everywhere; a part of a file that was lost is a larger piece.
/// Proves nothing about who made the file.
enum ModelFingerprint {
  /// FNV-1a in hexadecimal after the size: `98362432-5be1d4c2a0f00d11`.
  static func of(_ bytes: ModelBytes) throws(ModelFileError) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    let last = bytes.size - min(bytes.size, UInt64(piece))
    for number in 0..<UInt64(pieces) {
      // Both ends are among them, and no product overflows.
      let start = last / UInt64(pieces - 1) * number
      let offset = number == UInt64(pieces - 1) ? last : start
      for byte in try bytes.read(offset, piece) {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
      }
    }
    return "\(bytes.size)-\(String(hash, radix: 16))"
  }

  /// The size that a fingerprint begins with; nil for what is none.
  static func size(of fingerprint: String) -> UInt64? {
    fingerprint.split(separator: "-").first.flatMap { UInt64($0) }
  }

  private static let piece = 8 << 10
  private static let pieces = 64
}

/// A SHA-256, as `sha256sum` and publishers of models write it.
public struct SHA256Digest: Sendable, Hashable, CustomStringConvertible {
  /// 32 of them.
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// - Parameter hex: 64 digits in either case; nil for anything else.
  public init?(hex: String) {
    let digits = hex.utf8.map { Self.value($0) }
    guard digits.count == 64, !digits.contains(nil) else { return nil }
    bytes = stride(from: 0, to: 64, by: 2).map { (digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0) }
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// 64 small hexadecimal digits.
  public var description: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// SHA-256 as FIPS 180-4 defines it, over bytes that come in pieces.
struct SHA256 {
  private var state: [UInt32] = [
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A,
    0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
  ]
  private var pending: [UInt8] = []
  private var count: UInt64 = 0
  private var schedule = [UInt32](repeating: 0, count: 64)

  mutating func update(_ bytes: [UInt8]) {
    count += UInt64(bytes.count)
    var start = 0
    if !pending.isEmpty {
      start = min(64 - pending.count, bytes.count)
      pending += bytes[..<start]
      guard pending.count == 64 else { return }
      compress(pending, from: 0)
      pending = []
    }
    while start + 64 <= bytes.count {
      compress(bytes, from: start)
      start += 64
    }
    pending = Array(bytes[start...])
  }

  /// The digest of all bytes so far; those that follow would be another text's.
  mutating func finish() -> SHA256Digest {
    let bits = count &* 8
    let padding = (pending.count < 56 ? 56 : 120) - pending.count
    update([0x80] + [UInt8](repeating: 0, count: padding - 1))
    update((0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) })
    return SHA256Digest(
      state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } })
  }

  /// Takes in 64 bytes.
  private mutating func compress(_ block: [UInt8], from start: Int) {
    for word in 0..<16 {
      let place = start + 4 * word
      schedule[word] =
        UInt32(block[place]) << 24 | UInt32(block[place + 1]) << 16
        | UInt32(block[place + 2]) << 8 | UInt32(block[place + 3])
    }
    for word in 16..<64 {
      let (near, far) = (schedule[word - 2], schedule[word - 15])
      let first = Self.turned(far, 7) ^ Self.turned(far, 18) ^ far >> 3
      let second = Self.turned(near, 17) ^ Self.turned(near, 19) ^ near >> 10
      schedule[word] = schedule[word - 16] &+ first &+ schedule[word - 7] &+ second
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for round in 0..<64 {
      let sumE = Self.turned(e, 6) ^ Self.turned(e, 11) ^ Self.turned(e, 25)
      let choice = e & f ^ ~e & g
      let first = h &+ sumE &+ choice &+ Self.constants[round] &+ schedule[round]
      let sumA = Self.turned(a, 2) ^ Self.turned(a, 13) ^ Self.turned(a, 22)
      let majority = a & b ^ a & c ^ b & c
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ sumA &+ majority)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  private static func turned(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    word >> bits | word << (32 - bits)
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4,
    0xAB1C_5ED5, 0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE,
    0x9BDC_06A7, 0xC19B_F174, 0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F,
    0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA, 0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7,
    0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967, 0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC,
    0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85, 0xA2BF_E8A1, 0xA81A_664B,
    0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070, 0x19A4_C116,
    0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7,
    0xC671_78F2,
  ]
}

extension SHA256 {
  /// - Parameter isCancelled: asked before each MiB, some 3 ms of work.
  /// - Returns: nil where it was cancelled.
  /// - Throws: ``ModelFileError`` where the file cannot be read.
  static func of(
    _ source: ModelBytes, isCancelled: () -> Bool = { false }
  ) throws(ModelFileError) -> SHA256Digest? {
    var hash = SHA256()
    var offset: UInt64 = 0
    while offset < source.size {
      if isCancelled() { return nil }
      let piece = try source.read(offset, 1 << 20)
      guard !piece.isEmpty else {
        throw ModelFileError(
          .truncated, "the file became shorter while it was read", offset: offset)
      }
      hash.update(piece)
      offset += UInt64(piece.count)
    }
    return hash.finish()
  }
}

/// A numeric internet address, read in every form that a resolver would accept.
struct IPAddress: Sendable, Hashable {
  /// Sixteen bytes; an IPv4 address stands in its mapped form, `::ffff:a.b.c.d`.
  private let bytes: [UInt8]

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private init(v4 value: UInt32) {
    bytes =
      Array(repeating: 0, count: 10) + [0xff, 0xff]
      + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// The IPv4 address inside: plain, mapped (`::ffff:`), compatible (`::a.b.c.d`) or translated
  /// (`64:ff9b::`). A packet to any of them may reach it.
  private var v4: [UInt8]? {
    let prefix = bytes.prefix(12)
    let zeros = [UInt8](repeating: 0, count: 8)
    let isMapped = prefix.elementsEqual(zeros + [0, 0, 0xff, 0xff])
    let isTranslated = prefix.elementsEqual([0, 0x64, 0xff, 0x9b] + zeros)
    let isCompatible = prefix.allSatisfy { $0 == 0 } && bytes[12] != 0
    return isMapped || isTranslated || isCompatible ? Array(bytes.suffix(4)) : nil
  }

  /// True for addresses that never leave this machine.
  var isLoopback: Bool {
    if let v4 { return v4[0] == 127 }
    return bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
  }

  /// True for link-local addresses and the metadata services of cloud machines, which hand out
  /// credentials to whoever asks.
  var isLinkLocalOrMetadata: Bool {
    if let v4 { return v4.starts(with: [169, 254]) || v4 == [100, 100, 100, 200] }
    let isLinkLocal = bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80
    return isLinkLocal
      || bytes == [0xfd, 0, 0x0e, 0xc2] + Array(repeating: 0, count: 10) + [2, 0x54]
  }

  /// True for `0.0.0.0` and `::`, which name no host.
  var isUnspecified: Bool {
    (v4 ?? bytes).allSatisfy { $0 == 0 }
  }
}

extension IPAddress {
  /// An IPv4 address as `inet_aton` reads it: one to four numbers, each decimal, octal (`0…`) or
  /// hexadecimal (`0x…`), the last one filling the bytes that are left.
  init?(v4 text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...4).contains(parts.count) else { return nil }
    var value: UInt64 = 0
    for (index, part) in parts.enumerated() {
      guard let number = Self.number(part) else { return nil }
      let isLast = index == parts.count - 1
      let width = isLast ? UInt64(8 * (5 - parts.count)) : 8
      guard number < 1 << width else { return nil }
      value = value << width | number
    }
    self.init(v4: UInt32(value))
  }

  private static func number(_ text: some StringProtocol) -> UInt64? {
    let text = text.lowercased()
    let (digits, radix) =
      if text.hasPrefix("0x") { (text.dropFirst(2), 16) } else if text.hasPrefix("0") {
        (text.dropFirst(0), 8)
      } else { (text.dropFirst(0), 10) }
    // UInt64's own reader would also take a sign.
    guard let first = digits.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-")
    else { return nil }
    return UInt64(digits, radix: radix)
  }

  /// True where the text's last label is a number: then it is an address, not a name.
  static func looksLikeV4(_ host: some StringProtocol) -> Bool {
    guard let last = host.split(separator: ".").last?.lowercased() else { return false }
    let isHex = last.hasPrefix("0x") && last.dropFirst(2).allSatisfy(\.isHexDigit)
    return isHex || last.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// An IPv6 address without its brackets. A zone (`%eth0`) is refused: it names an interface.
  init?(v6 text: some StringProtocol) {
    let halves = text.split(separator: "::", omittingEmptySubsequences: false)
    guard (1...2).contains(halves.count) else { return nil }
    var sides: [[UInt8]] = []
    for (index, half) in halves.enumerated() {
      guard let side = Self.groups(half, mayEndInV4: index == halves.count - 1) else { return nil }
      sides.append(side)
    }
    if sides.count == 1 {
      guard sides[0].count == 16 else { return nil }
      bytes = sides[0]
    } else {
      let missing = 16 - sides[0].count - sides[1].count
      guard missing >= 2 else { return nil }
      bytes = sides[0] + Array(repeating: 0, count: missing) + sides[1]
    }
  }

  /// The bytes of groups between colons; no group gives no byte.
  private static func groups(_ text: some StringProtocol, mayEndInV4: Bool) -> [UInt8]? {
    guard !text.isEmpty else { return [] }
    var bytes: [UInt8] = []
    let groups = text.split(separator: ":", omittingEmptySubsequences: false)
    for (index, group) in groups.enumerated() {
      if group.contains(".") {
        // Only four plain decimal numbers may stand here.
        let numbers = group.split(separator: ".", omittingEmptySubsequences: false).map {
          $0.utf8.allSatisfy { (48...57).contains($0) } ? UInt8($0) : nil
        }
        let v4 = numbers.compactMap(\.self)
        guard mayEndInV4, index == groups.count - 1, v4.count == 4, numbers.count == 4 else {
          return nil
        }
        bytes += v4
      } else {
        guard (1...4).contains(group.utf8.count), group.allSatisfy(\.isHexDigit),
          let value = UInt16(group, radix: 16)
        else { return nil }
        bytes += [UInt8(value >> 8), UInt8(value & 0xff)]
      }
    }
    return bytes
  }

  /// Either kind, as a socket reports it.
  init?(_ text: String) {
    if text.contains(":") { self.init(v6: text) } else { self.init(v4: text) }
  }
}

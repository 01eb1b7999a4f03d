/// A text reduced to what stays of it when it is quoted: letters and digits without their case, and
/// whatever is not ASCII.
///
/// The same words compare equal as they are, escaped as JSON or by a programming language, once or
/// several times over, escaped as HTML, broken into lines otherwise, or in other capitals:
///
///     Line one,\nline "two"          lineonelinetwo
///     "Line one,\\nline \\"two\\""   lineonelinetwo
///     LINE ONE, line &quot;two&quot; lineonelinetwo
struct TextFingerprint {
  private(set) var bytes: [UInt8] = []

  /// For each byte, where in the text it comes from.
  private(set) var places: [Range<Int>] = []

  private let keepsPlaces: Bool

  /// - Parameter keepsPlaces: false leaves ``places`` empty: for texts that are only searched for.
  init(_ text: [UInt8], keepsPlaces: Bool) {
    self.keepsPlaces = keepsPlaces
    bytes.reserveCapacity(text.count)
    var place = 0
    while place < text.count {
      let byte = text[place]
      let next: Int
      switch byte {
      case UInt8(ascii: "\\"): next = takeEscape(text, at: place)
      case UInt8(ascii: "&"): next = takeEntity(text, at: place)
      case 0xc2...: next = takeCharacter(text, at: place)
      default:
        take(byte, from: place..<place + 1)
        next = place + 1
      }
      place = next
    }
  }

  private mutating func take(_ byte: UInt8, from range: Range<Int>) {
    let kept: UInt8
    switch byte {
    case 0x41...0x5a: kept = byte | 0x20
    case 0x30...0x39, 0x61...0x7a, 0x80...: kept = byte
    default: return
    }
    bytes.append(kept)
    if keepsPlaces { places.append(range) }
  }

  private mutating func take(_ scalar: Unicode.Scalar, from range: Range<Int>) {
    for byte in scalar.properties.lowercaseMapping.utf8 { take(byte, from: range) }
  }

  /// A character of several bytes; bytes that are none are taken as they are.
  ///
  /// - Returns: the first place after it.
  private mutating func takeCharacter(_ text: [UInt8], at start: Int) -> Int {
    let count = text[start] < 0xe0 ? 2 : text[start] < 0xf0 ? 3 : 4
    let end = min(start + count, text.count)
    var value = UInt32(text[start]) & (0xff >> UInt32(count + 1))
    for byte in text[(start + 1)..<end] { value = value << 6 | UInt32(byte & 0x3f) }
    let isWhole =
      end - start == count && text[(start + 1)..<end].allSatisfy { 0x80...0xbf ~= $0 }
    guard isWhole, let scalar = Unicode.Scalar(value) else {
      take(text[start], from: start..<start + 1)
      return start + 1
    }
    take(scalar, from: start..<end)
    return end
  }

  /// `\n`, `\"`, `\u00e9`, `\ud83d\ude00`, with any number of backslashes.
  ///
  /// - Returns: the first place after it.
  private mutating func takeEscape(_ text: [UInt8], at start: Int) -> Int {
    var place = start
    while place < text.count, text[place] == UInt8(ascii: "\\") { place += 1 }
    guard place < text.count else { return place }
    switch text[place] {
    case UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"),
      UInt8(ascii: "t"):
      return place + 1
    case UInt8(ascii: "u"):
      guard let unit = Self.number(text, from: place + 1, digits: 4) else { return place }
      var value = unit
      var end = place + 5
      if (0xd800...0xdbff).contains(unit) {
        var low = end
        while low < text.count, text[low] == UInt8(ascii: "\\") { low += 1 }
        guard low > end, low < text.count, text[low] == UInt8(ascii: "u"),
          let second = Self.number(text, from: low + 1, digits: 4),
          (0xdc00...0xdfff).contains(second)
        else { return end }
        value = 0x10000 + (unit - 0xd800) << 10 + (second - 0xdc00)
        end = low + 5
      }
      if let scalar = Unicode.Scalar(value) { take(scalar, from: start..<end) }
      return end
    default:
      return place
    }
  }

  /// `&quot;`, `&#39;`, `&#x27;`.
  ///
  /// - Returns: the first place after it.
  private mutating func takeEntity(_ text: [UInt8], at start: Int) -> Int {
    let name = text[(start + 1)...].prefix(9).prefix { $0 != UInt8(ascii: ";") }
    let end = start + 1 + name.count
    guard end < text.count, text[end] == UInt8(ascii: ";") else { return start + 1 }
    if name.first == UInt8(ascii: "#") {
      let digits = String(decoding: name.dropFirst(), as: UTF8.self)
      let value =
        digits.first == "x" || digits.first == "X"
        ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      guard let value, let scalar = Unicode.Scalar(value) else { return start + 1 }
      take(scalar, from: start..<end + 1)
      return end + 1
    }
    let names = ["amp", "lt", "gt", "quot", "apos"]
    return names.contains(String(decoding: name, as: UTF8.self)) ? end + 1 : start + 1
  }

  private static func number(_ text: [UInt8], from start: Int, digits: Int) -> UInt32? {
    guard start + digits <= text.count else { return nil }
    var value: UInt32 = 0
    for byte in text[start..<start + digits] {
      switch byte {
      case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
      case 0x41...0x46, 0x61...0x66: value = value << 4 | UInt32((byte | 0x20) - 0x57)
      default: return nil
      }
    }
    return value
  }
}

/// Finds the places of a text that quote others.
///
/// Linear in the text and in each source: a source of megabytes, an image, costs one pass.
struct QuoteFinder {
  /// For each byte of the text, whether it belongs to a quotation.
  private(set) var found: [Bool]

  private let text: [UInt8]
  private let fingerprint: TextFingerprint
  private var windows: [Int: Windows] = [:]

  /// - Parameter text: short; its stretches are kept in a table.
  init(in text: [UInt8]) {
    self.text = text
    found = Array(repeating: false, count: text.count)
    fingerprint = TextFingerprint(text, keepsPlaces: true)
  }

  /// Marks each stretch of at least `window` letters and digits that also stands in `source`.
  ///
  /// - Parameters:
  ///   - window: at most 8.
  ///   - shortest: a source that is shorter than the window is found as a whole, if it has this many.
  ///   - wordsOnly: such a short source is found only where no word goes on beside it.
  mutating func find(_ source: String, window: Int, shortest: Int, wordsOnly: Bool) {
    let source = TextFingerprint(Array(source.utf8), keepsPlaces: false).bytes
    let isShort = source.count < window
    let length = min(window, source.count)
    guard length >= shortest, fingerprint.bytes.count >= length else { return }
    var table =
      windows.removeValue(forKey: length) ?? Windows(of: fingerprint.bytes, length: length)
    defer { windows[length] = table }
    var number: UInt64 = 0
    for (place, byte) in source.enumerated() {
      number = (number << 8 | UInt64(byte)) & table.keep
      guard place + 1 >= length, table.mayHold(number) else { continue }
      // Taken out: what is marked need not be found again, however often the source repeats itself.
      for start in table.places.removeValue(forKey: number) ?? [] {
        mark(start, length, wordsOnly: isShort && wordsOnly)
      }
    }
  }

  private mutating func mark(_ start: Int, _ length: Int, wordsOnly: Bool) {
    let first = fingerprint.places[start].lowerBound
    let end = fingerprint.places[start + length - 1].upperBound
    if wordsOnly {
      if first > 0, Self.isWordByte(text[first - 1]) { return }
      if end < text.count, Self.isWordByte(text[end]) { return }
    }
    for place in first..<end { found[place] = true }
  }

  /// ASCII alone: many scripts write no spaces between words.
  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: false
    }
  }

  /// Where each stretch of one length stands.
  private struct Windows {
    /// A stretch of up to 8 bytes is a number of its own: no two share one.
    var places: [UInt64: [Int]] = [:]
    let keep: UInt64

    /// One bit for each of 65,536 kinds of numbers: most stretches of a long source end here.
    private var kinds = [UInt64](repeating: 0, count: 1024)

    init(of bytes: [UInt8], length: Int) {
      keep = length == 8 ? .max : 1 << UInt64(8 * length) - 1
      var number: UInt64 = 0
      for (place, byte) in bytes.enumerated() {
        number = (number << 8 | UInt64(byte)) & keep
        guard place + 1 >= length else { continue }
        places[number, default: []].append(place + 1 - length)
        let kind = Self.kind(number)
        kinds[kind >> 6] |= 1 << UInt64(kind & 63)
      }
    }

    func mayHold(_ number: UInt64) -> Bool {
      let kind = Self.kind(number)
      return kinds[kind >> 6] & 1 << UInt64(kind & 63) != 0
    }

    private static func kind(_ number: UInt64) -> Int {
      Int((number &* 0x9e37_79b9_7f4a_7c15) >> 48)
    }
  }
}

internal import HybridCore

/// Bytes ▶ lines, as the event-stream format ends them: LF, CR or CR LF, wherever the bytes were cut.
///
/// Push bytes, then pull lines until there is none. Linear, even one byte at a time.
struct LineReader: Sendable {
  /// The longest line, in bytes.
  let limit: Int

  private var chunk: [UInt8] = []
  private var position = 0
  /// The beginning of a line whose end has not come.
  private var partial: [UInt8] = []
  /// A CR ended the last line: an LF that follows belongs to it.
  private var skipsLineFeed = false
  private var isFirst = true

  init(limit: Int) {
    self.limit = limit
  }

  /// Every line of what was pushed before must have been pulled.
  mutating func push(_ bytes: [UInt8]) {
    chunk = bytes
    position = 0
  }

  /// The next line without its end; nil when more bytes are needed.
  ///
  /// - Throws: `protocol.tooLarge`.
  mutating func next() throws(HybridError) -> [UInt8]? {
    if skipsLineFeed, position < chunk.count {
      skipsLineFeed = false
      if chunk[position] == UInt8(ascii: "\n") { position += 1 }
    }
    let rest = chunk[position...]
    let end = rest.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    guard partial.count + (end ?? rest.endIndex) - position <= limit else {
      throw HybridError(
        .tooLarge, "the gateway sent a line of more than \(limit) bytes in its event stream",
        nextStep: "Check that the URL is a gateway's, or raise the limit", side: .remote)
    }
    guard let end else {
      partial += rest
      position = chunk.count
      return nil
    }
    skipsLineFeed = chunk[end] == UInt8(ascii: "\r")
    position = end + 1
    return line(ending: rest[..<end])
  }

  /// The end of the stream: the bytes after the last line's end. nil where there are none.
  mutating func finish() -> [UInt8]? {
    partial.isEmpty ? nil : line(ending: [])
  }

  private mutating func line(ending rest: ArraySlice<UInt8>) -> [UInt8] {
    var line = partial
    line += rest
    partial = []
    if isFirst {
      isFirst = false
      // "one leading U+FEFF BYTE ORDER MARK character must be ignored if any are present"
      if line.starts(with: [0xef, 0xbb, 0xbf]) { line.removeFirst(3) }
    }
    return line
  }
}

internal import HybridCore

/// Header lines ▶ the head of the final response. Interim heads (100, 103) are passed over.
struct HeadReader {
  struct Head: Hashable {
    var status: Int
    var headers: HTTPHeaders
    var version: HTTPVersion
  }

  enum Progress: Hashable {
    case more
    case complete(Head)
    /// More or longer header lines than any gateway sends.
    case tooLarge
  }

  /// Bytes of all heads and trailers of one exchange together.
  static let limit = 256 * 1024

  private var head: Head?
  private var isDone = false
  private var total = 0

  /// Takes one line, its end included.
  mutating func read(line: some BidirectionalCollection<UInt8>) -> Progress {
    total += line.count
    guard total <= Self.limit else { return .tooLarge }
    // After the head come only trailers, which nothing here needs.
    guard !isDone else { return .more }
    var text = line[...]
    while let last = text.last, last == 0x0a || last == 0x0d { text = text.dropLast() }
    if text.isEmpty {
      guard let head, head.status >= 200 else {
        self.head = nil
        return .more
      }
      isDone = true
      return .complete(head)
    }
    if text.starts(with: "HTTP/".utf8) {
      head = Self.statusLine(text)
      return .more
    }
    guard let colon = text.firstIndex(of: 0x3a) else { return .more }
    let name = String(decoding: text[..<colon], as: UTF8.self)
    let value = Self.trimmed(text[text.index(after: colon)...])
    head?.headers.append(name, String(decoding: value, as: UTF8.self))
    return .more
  }

  /// `HTTP/1.1 200 OK` or `HTTP/2 200`.
  private static func statusLine(_ line: some Collection<UInt8>) -> Head? {
    let parts = line.dropFirst(5).split(separator: 0x20, maxSplits: 2)
    guard parts.count >= 2, let status = Int(String(decoding: parts[1], as: UTF8.self)) else {
      return nil
    }
    let version = String(decoding: parts[0], as: UTF8.self)
    return Head(status: status, headers: [:], version: HTTPVersion(rawValue: version))
  }

  private static func trimmed<Bytes: Collection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
    let start = bytes.drop { $0 == 0x20 || $0 == 0x09 }
    var end = start.endIndex
    while end > start.startIndex {
      let before = start.index(end, offsetBy: -1)
      guard start[before] == 0x20 || start[before] == 0x09 else { break }
      end = before
    }
    return start[start.startIndex..<end]
  }
}

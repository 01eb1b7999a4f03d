/// A string that knows for each of its bytes whether the template or the conversation wrote it.
///
/// UTF-8 with origin runs beside it. Python compares strings code point by code point, which for
/// UTF-8 is byte by byte; Swift's `String` would take "é" and "e" with an accent for the same.
struct TemplateString: Sendable {
  /// A stretch of one origin, up to `end` (in bytes, exclusive).
  struct Run: Sendable {
    var end: Int
    var origin: TextOrigin
  }

  private(set) var bytes: [UInt8]
  /// The origin of every byte, where `runs` is empty.
  private(set) var uniform: TextOrigin
  /// Runs in order, neighbours different; empty where one origin holds for all.
  private(set) var runs: [Run]
  /// Marked by the `safe` filter: adding a plain string to it escapes that for HTML.
  var isMarkup = false

  init(bytes: [UInt8] = [], origin: TextOrigin = .template) {
    self.bytes = bytes
    self.uniform = origin
    self.runs = []
  }

  init(_ text: String, origin: TextOrigin = .template) {
    self.init(bytes: Array(text.utf8), origin: origin)
  }

  var isEmpty: Bool { bytes.isEmpty }
  var count: Int { bytes.count }
  /// The text without its origins.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether the template wrote all of it.
  var isAllTemplate: Bool {
    bytes.isEmpty || (runs.isEmpty && uniform == .template)
  }

  /// The origin that text derived from all of this has: content where any of it is.
  var mergedOrigin: TextOrigin { isAllTemplate ? .template : .content }

  /// Calls `body` for each stretch of one origin, in order.
  func forEachRun(_ body: (Range<Int>, TextOrigin) -> Void) {
    guard !runs.isEmpty else {
      if !bytes.isEmpty { body(0..<bytes.count, uniform) }
      return
    }
    var start = 0
    for run in runs {
      body(start..<run.end, run.origin)
      start = run.end
    }
  }

  /// The origin of the byte at `index`.
  func origin(at index: Int) -> TextOrigin {
    guard !runs.isEmpty else { return uniform }
    return runs[runIndex(at: index)].origin
  }

  private func runIndex(at index: Int) -> Int {
    var low = 0
    var high = runs.count - 1
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].end > index { high = middle } else { low = middle + 1 }
    }
    return low
  }

  // MARK: Building

  mutating func reserve(_ capacity: Int) {
    bytes.reserveCapacity(capacity)
  }

  /// Appends bytes of one origin.
  mutating func append(bytes more: some Collection<UInt8>, origin: TextOrigin) {
    if more.isEmpty { return }
    note(origin, start: bytes.count)
    bytes.append(contentsOf: more)
    if !runs.isEmpty { runs[runs.count - 1].end = bytes.count }
  }

  mutating func append(_ text: String, origin: TextOrigin) {
    append(bytes: text.utf8, origin: origin)
  }

  mutating func append(byte: UInt8, origin: TextOrigin) {
    note(origin, start: bytes.count)
    bytes.append(byte)
    if !runs.isEmpty { runs[runs.count - 1].end = bytes.count }
  }

  mutating func append(_ other: TemplateString) {
    if bytes.isEmpty {
      let markup = isMarkup
      let capacity = bytes.capacity
      if capacity == 0 {
        self = other
      } else {
        bytes.append(contentsOf: other.bytes)
        uniform = other.uniform
        runs = other.runs
      }
      isMarkup = markup
      return
    }
    if other.runs.isEmpty {
      append(bytes: other.bytes, origin: other.uniform)
    } else {
      append(other, range: 0..<other.count)
    }
  }

  /// Appends a byte range of another string with its origins.
  mutating func append(_ other: TemplateString, range: Range<Int>) {
    if range.isEmpty { return }
    if other.runs.isEmpty {
      append(bytes: other.bytes[range], origin: other.uniform)
      return
    }
    var index = other.runIndex(at: range.lowerBound)
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min(other.runs[index].end, range.upperBound)
      append(bytes: other.bytes[start..<end], origin: other.runs[index].origin)
      start = end
      index += 1
    }
  }

  /// Forgets what stands behind the first `count` bytes.
  mutating func truncate(to count: Int) {
    bytes.removeLast(bytes.count - count)
    while let last = runs.last, last.end > count {
      if runs.count > 1, runs[runs.count - 2].end < count {
        runs[runs.count - 1].end = count
        break
      }
      runs.removeLast()
    }
    if let only = runs.first, runs.count == 1 {
      uniform = only.origin
      runs = []
    }
  }

  /// Makes sure that what is appended at `start` falls into a run of `origin`.
  private mutating func note(_ origin: TextOrigin, start: Int) {
    if start == 0 {
      uniform = origin
      runs.removeAll()
    } else if runs.isEmpty {
      guard origin != uniform else { return }
      runs = [Run(end: start, origin: uniform), Run(end: start, origin: origin)]
    } else if runs[runs.count - 1].origin != origin {
      runs.append(Run(end: start, origin: origin))
    }
  }

  /// A byte range of it. Both ends must lie on code point borders.
  subscript(range: Range<Int>) -> TemplateString {
    if range.lowerBound == 0 && range.upperBound == count { return self }
    var result = TemplateString()
    result.isMarkup = isMarkup
    result.append(self, range: range)
    return result
  }

  static func + (left: TemplateString, right: TemplateString) -> TemplateString {
    var result = left
    result.append(right)
    return result
  }
}

/// Equality is that of the text: Python knows nothing of origins.
extension TemplateString: Equatable, Hashable {
  static func == (left: TemplateString, right: TemplateString) -> Bool {
    left.bytes == right.bytes
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(bytes)
  }

  /// Code point order, which is the byte order of UTF-8.
  static func < (left: TemplateString, right: TemplateString) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

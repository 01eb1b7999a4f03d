/// Where a piece of a prompt comes from.
package enum TextOrigin: Equatable, Sendable {
  /// The template's own text: only here may special tokens be special.
  case template
  /// Text of the conversation, tools and other variables, however the template treated it.
  case content
}

/// A rendered chat template that still knows which text is whose.
package struct RenderedPrompt: Equatable, Sendable {
  /// A stretch of text of one origin.
  package struct Piece: Equatable, Sendable {
    package var text: String
    package var origin: TextOrigin

    package init(text: String, origin: TextOrigin) {
      self.text = text
      self.origin = origin
    }
  }

  /// The whole text as UTF-8.
  package private(set) var bytes: [UInt8] = []
  /// The parts of ``bytes`` in order, none of them empty, neighbours of different origin.
  package private(set) var ranges: [(range: Range<Int>, origin: TextOrigin)] = []

  package init(pieces: [Piece]) {
    for piece in pieces {
      let start = bytes.count
      bytes.append(contentsOf: piece.text.utf8)
      append(start..<bytes.count, piece.origin)
    }
  }

  init(_ text: TemplateString) {
    bytes = text.bytes
    ranges.reserveCapacity(max(text.runs.count, 1))
    text.forEachRun { append($0, $1) }
  }

  private mutating func append(_ range: Range<Int>, _ origin: TextOrigin) {
    if range.isEmpty { return }
    if let last = ranges.last, last.origin == origin {
      ranges[ranges.count - 1].range = last.range.lowerBound..<range.upperBound
    } else {
      ranges.append((range, origin))
    }
  }

  package static func == (left: RenderedPrompt, right: RenderedPrompt) -> Bool {
    left.bytes == right.bytes
      && left.ranges.elementsEqual(right.ranges) { $0.range == $1.range && $0.origin == $1.origin }
  }

  /// The text of each part.
  package var pieces: [Piece] { ranges.map { piece($0, $1) } }

  package var lastPiece: Piece? { ranges.last.map { piece($0, $1) } }

  private func piece(_ range: Range<Int>, _ origin: TextOrigin) -> Piece {
    Piece(text: String(decoding: bytes[range], as: UTF8.self), origin: origin)
  }

  /// All of it.
  package var text: String { String(decoding: bytes, as: UTF8.self) }
}

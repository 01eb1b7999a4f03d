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

  /// The pieces in order, none of them empty, neighbours of different origin.
  package var pieces: [Piece]

  package init(pieces: [Piece]) {
    self.pieces = pieces
  }

  /// All pieces together.
  package var text: String {
    pieces.lazy.map(\.text).joined()
  }
}

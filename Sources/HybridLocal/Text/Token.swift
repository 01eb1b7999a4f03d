/// A token's number in its vocabulary.
package typealias Token = Int32

/// What kind of token it is, by llama.cpp's flags.
package struct TokenAttributes: OptionSet, Sendable, Hashable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  package static let unknown = TokenAttributes(rawValue: 1 << 0)
  /// Structure, never text: the marks between turns, the beginning, the end.
  package static let control = TokenAttributes(rawValue: 1 << 3)
  /// Added to the vocabulary by the model's makers, and cut out of any text before all else.
  package static let userDefined = TokenAttributes(rawValue: 1 << 4)
  /// White space before it belongs to it.
  package static let stripsLeft = TokenAttributes(rawValue: 1 << 7)
  /// White space after it belongs to it.
  package static let stripsRight = TokenAttributes(rawValue: 1 << 8)
}

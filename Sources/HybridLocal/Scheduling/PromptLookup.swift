/// Guesses the next tokens of an answer from what stands before: where the last few tokens occurred
/// already, what followed them there.
///
/// Answers that quote or sum up their prompt repeat long stretches of it. A guess costs nothing to make,
/// and one decode verifies all of its tokens. (Prompt look-up decoding, after Apoorv Saxena's method of
/// 2023, github.com/apoorvumang/prompt-lookup-decoding.)
package struct PromptLookup: Sendable {
  /// Tokens that must match. Fewer match by chance in any text.
  package static let key = 4

  private var tokens: [Token] = []
  /// Where the tokens after a key begin; the latest and the one before it, since the latest is the
  /// very end that asks.
  private var places: [SIMD4<Token>: (latest: Int, before: Int?)] = [:]

  package init(_ tokens: [Token] = []) {
    self.tokens.reserveCapacity(tokens.count + 64)
    append(contentsOf: tokens)
  }

  package mutating func append(contentsOf more: some Sequence<Token>) {
    for token in more {
      tokens.append(token)
      guard tokens.count >= Self.key else { continue }
      let key = lastKey
      places[key] = (tokens.count, places[key]?.latest)
    }
  }

  private var lastKey: SIMD4<Token> { SIMD4(tokens[(tokens.count - Self.key)...]) }

  /// The tokens that followed the last ones where they stood before; at most `most`.
  package func guess(most: Int) -> [Token] {
    guard tokens.count >= Self.key, let place = places[lastKey]?.before else { return [] }
    return Array(tokens[place..<min(tokens.count, place + max(0, most))])
  }
}

/// One answer's guesses at its next tokens: what to guess, and whether it pays.
package struct LookAhead: Sendable {
  private var lookup: PromptLookup
  private var policy = LookupPolicy()

  package init(prompt: [Token]) {
    lookup = PromptLookup(prompt)
  }

  /// These tokens were chosen: those of the last guess that were right, and one more.
  ///
  /// - Parameters:
  ///   - guess: tokens that the step verified.
  ///   - took: its time; nil where something else was in it.
  ///   - room: tokens that may yet be generated.
  /// - Returns: a guess at those after them; may be empty.
  package mutating func chosen(
    _ tokens: some Collection<Token>, guess: Int, took: Duration?, room: Int
  ) -> [Token] {
    if let took {
      if guess > 0 {
        policy.verified(guess, accepted: tokens.count - 1, took: took)
      } else {
        policy.plainStep(took: took)
      }
    }
    lookup.append(contentsOf: tokens)
    // One token is chosen after the guess's last.
    return lookup.guess(most: min(policy.most, room - 1))
  }
}

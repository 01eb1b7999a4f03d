private import HybridCore

/// How many tokens to guess ahead, and whether to guess at all.
///
/// To verify a guess costs time for each of its tokens, and only those that turn out right save a step.
/// So the length doubles with every guess that was right to its end, and falls back to what was right
/// of one that was not; and where guesses take longer for each token than plain steps did, none are
/// made for a while, each time longer.
package struct LookupPolicy: Sendable, Hashable {
  package static let shortest = 2
  package static let longest = 32
  /// Plain steps after a guess that did not pay; twice as many after each further one.
  package static let firstPause = 32

  private var length = shortest
  /// Seconds a token, of plain steps and of those with a guess.
  private var plain = MovingAverage(weight: 1 / 4)
  private var guessed = MovingAverage(weight: 1 / 4)
  /// Plain steps until the next try, and how many the next pause will have.
  private var pause = 0
  private var nextPause = Self.firstPause

  package init() {}

  /// The most tokens to guess now; 0 for none.
  package var most: Int { pause > 0 || plain.value == nil ? 0 : length }

  /// A step without a guess was done.
  package mutating func plainStep(took: Duration) {
    plain.record(took.inSeconds)
    pause = max(0, pause - 1)
  }

  /// A guess was verified.
  ///
  /// - Parameters:
  ///   - accepted: of its tokens; the step gave one more.
  package mutating func verified(_ guess: Int, accepted: Int, took: Duration) {
    length =
      accepted == guess ? min(Self.longest, length * 2) : max(Self.shortest, accepted)
    guessed.record(took.inSeconds / Double(accepted + 1))
    guard let plain = plain.value, let average = guessed.value else { return }
    if average <= plain {
      nextPause = Self.firstPause
    } else {
      pause = nextPause
      nextPause = min(512, nextPause * 2)
      // The next try is judged by itself.
      guessed.forget()
    }
  }
}

import HybridLocal
import Testing

struct LookAheadTests {
  @Test func `what followed the last tokens before is the guess`() {
    let lookup = PromptLookup([1, 2, 3, 4, 5, 6, 7, 9, 1, 2, 3, 4])
    #expect(lookup.guess(most: 3) == [5, 6, 7])
    #expect(lookup.guess(most: 0) == [])
    #expect(lookup.guess(most: 99) == [5, 6, 7, 9, 1, 2, 3, 4])
    #expect(PromptLookup([1, 2, 3, 4, 5]).guess(most: 3) == [])
    #expect(PromptLookup([1, 2]).guess(most: 3) == [])
  }

  @Test func `of several places the latest counts`() {
    let lookup = PromptLookup([1, 2, 3, 4, 50, 1, 2, 3, 4, 60, 1, 2, 3, 4])
    #expect(lookup.guess(most: 1) == [60])
  }

  @Test func `a repetition goes on`() {
    #expect(PromptLookup([7, 7, 7, 7, 7]).guess(most: 3) == [7])
  }

  /// Plain steps take 7 ms; each verified token 4 ms more.
  static func policy(after guesses: [(guess: Int, accepted: Int)]) -> LookupPolicy {
    var policy = LookupPolicy()
    policy.plainStep(took: .milliseconds(7))
    for (guess, accepted) in guesses {
      policy.verified(guess, accepted: accepted, took: .milliseconds(7 + 4 * guess))
    }
    return policy
  }

  @Test func `guesses grow while they are right, and fall back when one is not`() {
    #expect(LookupPolicy().most == 0)
    #expect(Self.policy(after: []).most == LookupPolicy.shortest)
    #expect(Self.policy(after: [(2, 2)]).most == 4)
    #expect(Self.policy(after: [(2, 2), (4, 4), (8, 8), (16, 16)]).most == LookupPolicy.longest)
    #expect(Self.policy(after: [(2, 2), (4, 4), (8, 5)]).most == 5)
  }

  @Test func `where guesses cost more than they save there is a pause, each longer`() {
    var policy = Self.policy(after: [(2, 0)])
    for pause in [32, 64, 128, 256, 512, 512] {
      for _ in 0..<pause {
        #expect(policy.most == 0)
        policy.plainStep(took: .milliseconds(7))
      }
      #expect(policy.most == LookupPolicy.shortest)
      policy.verified(2, accepted: 0, took: .milliseconds(15))
    }
    // One that pays makes the next pause short again.
    for _ in 0..<512 { policy.plainStep(took: .milliseconds(7)) }
    policy.verified(2, accepted: 2, took: .milliseconds(15))
    policy.verified(4, accepted: 0, took: .milliseconds(230))
    for _ in 0..<32 { policy.plainStep(took: .milliseconds(7)) }
    #expect(policy.most > 0)
  }

  @Test func `a guess leaves room for the token after it`() {
    func guess(room: Int) -> [Token] {
      var ahead = LookAhead(prompt: [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3])
      return ahead.chosen([4], guess: 0, took: .milliseconds(7), room: room)
    }
    #expect(guess(room: 100) == [5, 6])
    #expect(guess(room: 2) == [5])
    #expect(guess(room: 1) == [])
  }

  @Test func `nothing is guessed before it is known what a step takes`() {
    var ahead = LookAhead(prompt: [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3])
    #expect(ahead.chosen([4], guess: 0, took: nil, room: 100) == [])
    #expect(ahead.chosen([5], guess: 0, took: .milliseconds(7), room: 100) == [6, 7])
  }
}

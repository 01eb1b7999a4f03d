import HybridLocal
import Testing

struct ChunkPolicyTests {
  @Test func `before anything is measured chunks are moderate, and fit the batch`() {
    let policy = ChunkPolicy(largest: 512)
    #expect(policy.promptTokens(besides: 0) == 128)
    #expect(policy.promptTokens(besides: 3) == 16)
    #expect(ChunkPolicy(largest: 8).promptTokens(besides: 0) == 8)
    #expect(ChunkPolicy(largest: 8).promptTokens(besides: 3) == 5)
    #expect(ChunkPolicy(largest: 8).promptTokens(besides: 8) == 0)
  }

  @Test func `beside streams a step takes three times as long as without a prompt`() {
    var policy = ChunkPolicy(largest: 512)
    for _ in 0..<50 {
      policy.record(streams: 1, promptTokens: 0, took: .milliseconds(7))
      // 3 ms a prompt token.
      let chunk = policy.promptTokens(besides: 1)
      policy.record(streams: 1, promptTokens: chunk, took: .milliseconds(7 + 3 * chunk))
    }
    #expect((4...5).contains(policy.promptTokens(besides: 1)))
  }

  @Test func `each of several prompts gets as much of a step as one, up to the longest step`() {
    var policy = ChunkPolicy(largest: 512)
    #expect(policy.promptTokens(besides: 1, prompts: 3) == 48)
    policy.record(streams: 2, promptTokens: 0, took: .milliseconds(24))
    policy.record(streams: 2, promptTokens: 128, took: .milliseconds(408))
    // 3 ms a prompt token: 48 ms for each prompt.
    #expect(policy.promptTokens(besides: 2, prompts: 1) == 16)
    #expect(policy.promptTokens(besides: 2, prompts: 4) == 64)
    // 476 ms are left, in whole tiles.
    #expect(policy.promptTokens(besides: 2, prompts: 40) == 128)
    // A plain step that is longer than that leaves the share of one.
    for _ in 0..<99 { policy.record(streams: 2, promptTokens: 0, took: .seconds(3)) }
    #expect(policy.promptTokens(besides: 2, prompts: 3) == policy.promptTokens(besides: 2))
  }

  @Test func `a slow machine's prompt goes on all the same, and a fast one's is not held back`() {
    var slow = ChunkPolicy(largest: 512)
    slow.record(streams: 1, promptTokens: 0, took: .milliseconds(1))
    slow.record(streams: 1, promptTokens: 4, took: .seconds(4))
    #expect(slow.promptTokens(besides: 1) == ChunkPolicy.smallest)
    var fast = ChunkPolicy(largest: 512)
    fast.record(streams: 2, promptTokens: 0, took: .milliseconds(20))
    for _ in 0..<50 {
      let chunk = fast.promptTokens(besides: 2)
      fast.record(streams: 2, promptTokens: chunk, took: .milliseconds(20) + .microseconds(chunk))
    }
    #expect(fast.promptTokens(besides: 2) >= 32)
    #expect(fast.promptTokens(besides: 2) <= 510)
  }

  @Test func `alone a step takes half a second, in whole tiles`() {
    var policy = ChunkPolicy(largest: 512)
    for _ in 0..<50 { policy.record(streams: 0, promptTokens: 128, took: .milliseconds(384)) }
    #expect(policy.promptTokens(besides: 0) == 160)
    for _ in 0..<50 { policy.record(streams: 0, promptTokens: 128, took: .seconds(128)) }
    #expect(policy.promptTokens(besides: 0) == 128)
    for _ in 0..<99 { policy.record(streams: 0, promptTokens: 128, took: .milliseconds(1)) }
    #expect(policy.promptTokens(besides: 0) == 512)
  }

  /// Beside one stream of 20 ms a step: what deep attention makes of small steps and of tiles.
  private func play(_ policy: inout ChunkPolicy, steps: Int) -> (plain: Int, chunks: [Int]) {
    var plain = 0
    var chunks: [Int] = []
    for _ in 0..<steps {
      let chunk = policy.promptTokens(besides: 1)
      if chunk == 0 { plain += 1 } else { chunks.append(chunk) }
      let cost = chunk + 1 >= ChunkPolicy.tile ? 5 : 25
      policy.record(
        streams: 1, promptTokens: chunk, took: .milliseconds(20 + cost * chunk))
    }
    return (plain, chunks)
  }

  @Test func `where small steps waste time a step takes a tile, and the streams get their third`() {
    var policy = ChunkPolicy(largest: 512)
    policy.record(streams: 0, promptTokens: 128, took: .milliseconds(640))
    policy.record(streams: 1, promptTokens: 0, took: .milliseconds(20))
    let (plain, chunks) = play(&policy, steps: 100)
    #expect(chunks.allSatisfy { $0 == 8 || $0 == 63 })
    #expect(chunks.prefix { $0 < 63 }.count == 1)
    // A tile takes 335 ms, and pays with seven plain steps.
    #expect((86...88).contains(plain))
    // The prompt is through; the next begins with small steps.
    for _ in 0..<10 { policy.record(streams: 1, promptTokens: 0, took: .milliseconds(20)) }
    #expect(policy.promptTokens(besides: 1) < 16)
  }

  @Test func `a tile that takes seconds stops no stream, however much small steps waste`() {
    var policy = ChunkPolicy(largest: 512)
    policy.record(streams: 0, promptTokens: 128, took: .milliseconds(128 * 16))
    policy.record(streams: 1, promptTokens: 0, took: .milliseconds(60))
    policy.record(streams: 1, promptTokens: 8, took: .milliseconds(60 + 8 * 60))
    // 64 tokens of 16 ms are more than a second.
    #expect(policy.promptTokens(besides: 1) == ChunkPolicy.smallest)
  }

  @Test func `without streams no debt holds a prompt back`() {
    var policy = ChunkPolicy(largest: 512)
    policy.record(streams: 0, promptTokens: 128, took: .milliseconds(640))
    policy.record(streams: 1, promptTokens: 0, took: .milliseconds(20))
    while policy.promptTokens(besides: 1) > 0 { _ = play(&policy, steps: 1) }
    #expect(policy.promptTokens(besides: 0) >= ChunkPolicy.smallestAlone)
  }

  @Test func `a moment that no clock could tell changes nothing`() {
    var policy = ChunkPolicy(largest: 512)
    policy.record(streams: 0, promptTokens: 128, took: .zero)
    #expect(policy == ChunkPolicy(largest: 512))
  }
}

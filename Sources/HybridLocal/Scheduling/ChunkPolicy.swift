private import HybridCore

/// How many prompt tokens go into one step.
///
/// Beside running streams so many for each waiting prompt that it alone would make a step take
/// ``stretch`` times as long as without: a long prompt slows the streams down and does not stop them,
/// and prompts that come together do not wait longer for being many. The streams lose nothing in the
/// end, since what is to be computed stays the same. Several prompts together get what a step of
/// ``longestStep`` has room for, or one's share where that is more. Without streams a step is so long
/// too, since a newcomer waits for its end, but never of fewer tokens than ``smallestAlone``: where the machine is busy most of a step's time goes into its many waits,
/// and smaller steps only wait more often.
///
/// Deep in a long prompt small steps may waste time: llama.cpp's attention on CPUs works in tiles from
/// ``tile`` rows on, and row by row below. Compiled for 16-bit arithmetic that made a prompt four times
/// slower at 1,400 tokens (37 against 150 tokens a second); without, as `Fixtures/bootstrap` builds it,
/// less than twice at 2,048. Where much is wasted, a step takes a tile, and the streams have the
/// next steps to themselves for as long as their part of the time is. Not where a tile would take
/// longer than ``longestTile``: a slow model's streams would stand still for many seconds.
///
/// All follows from the steps measured so far.
package struct ChunkPolicy: Sendable, Hashable {
  /// With and without prompt tokens, how long a step may take in proportion.
  package static let stretch = 3.0
  package static let longestStep = Duration.milliseconds(500)
  package static let longestTile = Duration.seconds(1)
  /// A prompt goes on in any case. Three made the 99th percentile of a stream's gaps five times the
  /// median beside 1,500 tokens, two made it four.
  package static let smallest = 2
  package static let smallestAlone = 128
  /// Rows of a step (ggml's GGML_FA_TILE_Q).
  package static let tile = 64
  /// How much dearer a token of a small step may be.
  static let waste = 3.0
  /// Until something was measured.
  static let untriedBesides = 16

  /// The most tokens of a step.
  package let largest: Int
  /// Seconds of a step without prompt tokens.
  private var plain = MovingAverage(weight: 1 / 8)
  /// Seconds of a prompt token: in steps of a tile or more, and in smaller ones since the last prompt
  /// was through.
  private var tiled = MovingAverage(weight: 1 / 8)
  private var small = MovingAverage(weight: 1 / 4)
  /// Seconds for which the streams have the steps to themselves.
  private var owed = 0.0

  package init(largest: Int) {
    self.largest = max(1, largest)
  }

  /// - Parameters:
  ///   - streams: sequences that get a token in the step.
  ///   - prompts: requests that wait for theirs.
  package func promptTokens(besides streams: Int, prompts: Int = 1) -> Int {
    guard streams > 0 else { return max(min(largest, Self.smallestAlone), longStep(besides: 0)) }
    if owed > 0 { return 0 }
    let room = largest - min(largest, streams)
    guard let plain = plain.value, let seconds = small.value ?? tiled.value else {
      return min(room, Self.untriedBesides * prompts)
    }
    let share = max(Self.smallest, Int(min((Self.stretch - 1) * plain / seconds, 1e6)))
    let count = max(share, min(prompts * share, longStep(besides: streams)))
    return min(room, isWasteful ? max(count, Self.tile - streams) : count)
  }

  private var isWasteful: Bool {
    guard let small = small.value, let tiled = tiled.value else { return false }
    return small > Self.waste * tiled && tiled * Double(Self.tile) <= Self.longestTile.inSeconds
  }

  /// Of how many prompt tokens a step is as long as it may be.
  private func longStep(besides streams: Int) -> Int {
    guard let seconds = tiled.value ?? small.value else { return 0 }
    let rest = Self.longestStep.inSeconds - (streams == 0 ? 0 : plain.value ?? 0)
    // Kernels work in tiles of rows.
    return min(largest, Int(min(max(0, rest / seconds), 1e6)) / 32 * 32)
  }

  /// A step was done.
  package mutating func record(streams: Int, promptTokens: Int, took: Duration) {
    let seconds = took.inSeconds
    guard seconds > 0 else { return }
    if promptTokens == 0 {
      plain.record(seconds)
      // Without a debt no prompt waits: the next one begins where small steps are cheap.
      if owed == 0 { small.forget() }
      owed = max(0, owed - seconds)
      return
    }
    guard let before = streams == 0 ? 0 : plain.value else { return }
    // Never for nothing, or one lucky measurement would let a step grow without limit.
    let extra = max(seconds - before, seconds / 16)
    if streams + promptTokens >= Self.tile {
      tiled.record(extra / Double(promptTokens))
      if isWasteful, streams > 0 { owed = extra / (Self.stretch - 1) - before }
    } else if streams > 0 {
      small.record(extra / Double(promptTokens))
    } else if promptTokens >= 16, tiled.value == nil {
      // A few tokens tell little of what many cost, but more than nothing does.
      tiled.record(extra / Double(promptTokens))
    }
    owed = max(0, owed)
  }
}

private import HybridCore

/// How many prompt tokens go into one step.
///
/// Beside running streams so many for each waiting prompt that it alone would make a step take
/// ``stretch`` times as long as without: a long prompt slows the streams down and does not stop them,
/// and prompts that come together do not wait longer for being many. The streams lose nothing in the
/// end, since what is to be computed stays the same. In no case more than a step of ``longestStep``
/// has room for; so many without streams, since a newcomer waits for the step's end, but never fewer
/// than ``smallestAlone``: where the machine is busy most of a step's time goes into its many waits,
/// and smaller steps only wait more often. All follows from the steps measured so far; each new
/// measurement counts an eighth.
package struct ChunkPolicy: Sendable, Hashable {
  /// With and without prompt tokens, how long a step may take in proportion.
  package static let stretch = 3.0
  package static let longestStep = Duration.milliseconds(500)
  /// A prompt goes on in any case.
  package static let smallest = 4
  package static let smallestAlone = 128
  /// Until something was measured.
  static let untriedBesides = 16

  /// The most tokens of a step.
  package let largest: Int
  private var decodeSeconds = MovingAverage(weight: 1 / 8)
  /// Of one prompt token, beside streams and without.
  private var besideSeconds = MovingAverage(weight: 1 / 8)
  private var aloneSeconds = MovingAverage(weight: 1 / 8)

  package init(largest: Int) {
    self.largest = max(1, largest)
  }

  /// - Parameters:
  ///   - streams: sequences that get a token in the step.
  ///   - prompts: requests that wait for theirs.
  package func promptTokens(besides streams: Int, prompts: Int = 1) -> Int {
    guard streams > 0 else { return max(min(largest, Self.smallestAlone), longStep(besides: 0)) }
    let room = largest - min(largest, streams)
    guard let plain = decodeSeconds.value, let seconds = tokenSeconds(besides: streams) else {
      return min(room, Self.untriedBesides * prompts)
    }
    let share = max(Self.smallest, Int(min((Self.stretch - 1) * plain / seconds, 1e6)))
    return min(room, max(share, min(prompts * share, longStep(besides: streams))))
  }

  /// Of how many prompt tokens a step is as long as it may be.
  private func longStep(besides streams: Int) -> Int {
    guard let seconds = tokenSeconds(besides: streams) else { return 0 }
    let rest = Self.longestStep.inSeconds - (streams == 0 ? 0 : decodeSeconds.value ?? 0)
    // Kernels work in tiles of rows.
    return min(largest, Int(min(max(0, rest / seconds), 1e6)) / 32 * 32)
  }

  private func tokenSeconds(besides streams: Int) -> Double? {
    streams == 0 ? aloneSeconds.value : besideSeconds.value ?? aloneSeconds.value
  }

  /// A step was done.
  package mutating func record(streams: Int, promptTokens: Int, took: Duration) {
    let seconds = took.inSeconds
    guard seconds > 0 else { return }
    if promptTokens == 0 {
      decodeSeconds.record(seconds)
    } else if streams == 0 {
      // A few tokens tell little of what many cost.
      if promptTokens >= 16 { aloneSeconds.record(seconds / Double(promptTokens)) }
    } else if let plain = decodeSeconds.value {
      // Never for nothing, or one lucky measurement would let a step grow without limit.
      let extra = max(seconds - plain, seconds / 16)
      besideSeconds.record(extra / Double(promptTokens))
    }
  }
}

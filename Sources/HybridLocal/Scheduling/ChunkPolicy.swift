private import HybridCore

/// How many prompt tokens go into one step.
///
/// Beside running streams so many that a step takes ``stretch`` times as long as without them: a
/// long prompt slows the streams down and does not stop them. Without streams so many that a step
/// takes ``longestStep``, since a newcomer waits for it, and never fewer than ``smallestAlone``: where
/// the machine is busy most of a step's time goes into its many waits, and smaller steps only wait
/// more often. Both follow from the steps measured so far; each new measurement counts an eighth.
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
  private var decodeSeconds: Double?
  /// Of one prompt token, beside streams and without.
  private var besideSeconds: Double?
  private var aloneSeconds: Double?

  package init(largest: Int) {
    self.largest = max(1, largest)
  }

  /// - Parameters:
  ///   - streams: sequences that get a token in the step.
  ///   - prompts: requests that wait for theirs. Where they are more than the streams, the streams
  ///     give way in proportion: all are better off once all run together.
  package func promptTokens(besides streams: Int, prompts: Int = 1) -> Int {
    if streams == 0 {
      guard let aloneSeconds else { return min(largest, Self.smallestAlone) }
      let count = Self.longestStep.inSeconds / aloneSeconds
      // Kernels work in tiles of rows.
      return min(largest, max(Self.smallestAlone, Int(min(count, 1e6)) / 32 * 32))
    }
    guard let decodeSeconds, let seconds = besideSeconds ?? aloneSeconds else {
      return min(largest - min(largest, streams), Self.untriedBesides)
    }
    let weight = min(8, max(1, Double(prompts) / Double(streams)))
    let count = weight * (Self.stretch - 1) * decodeSeconds / seconds
    return max(
      0, min(largest - streams, max(Self.smallest, Int(min(count, 1e6)))))
  }

  /// A step was done.
  package mutating func record(streams: Int, promptTokens: Int, took: Duration) {
    let seconds = took.inSeconds
    guard seconds > 0 else { return }
    if promptTokens == 0 {
      Self.blend(&decodeSeconds, seconds)
    } else if streams == 0 {
      // A few tokens tell little of what many cost.
      if promptTokens >= 16 { Self.blend(&aloneSeconds, seconds / Double(promptTokens)) }
    } else if let decodeSeconds {
      // Never for nothing, or one lucky measurement would let a step grow without limit.
      let extra = max(seconds - decodeSeconds, seconds / 16)
      Self.blend(&besideSeconds, extra / Double(promptTokens))
    }
  }

  private static func blend(_ value: inout Double?, _ sample: Double) {
    value = value.map { $0 + (sample - $0) / 8 } ?? sample
  }
}

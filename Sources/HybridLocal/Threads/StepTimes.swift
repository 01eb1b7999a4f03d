private import HybridCore

/// Mean times of the steps of late, apart by thread count and size, so that only like is compared
/// with like.
struct StepTimes: Sendable {
  private struct Key: Hashable {
    let threads: Int
    let size: Int
  }

  private struct Mean {
    /// Seconds a token.
    var seconds: Double
    var count: Int
    /// The number of the step that counted last.
    var last: Int
    /// The level that the mean has without neighbours, as far as it was seen.
    var floor: Double
  }

  private var means: [Key: Mean] = [:]

  /// - Parameter step: the step's number.
  mutating func record(_ sample: StepSample, step: Int) {
    let seconds = sample.wall.inSeconds / Double(max(1, sample.shape.tokens))
    let key = Key(threads: sample.threads, size: Self.sizeClass(sample.shape.tokens))
    guard var mean = means[key], step - mean.last <= Self.lifetime else {
      means[key] = Mean(
        seconds: seconds, count: 1, last: step,
        floor: min(seconds, means[key]?.floor ?? .infinity))
      return
    }
    mean.count += 1
    mean.seconds += (seconds - mean.seconds) / Double(min(mean.count, Self.window))
    mean.last = step
    // Steps become slower as the context fills, by half in a thousand: the floor follows faster.
    mean.floor = min(mean.floor * 1.002, mean.seconds)
    means[key] = mean
  }

  /// The sample's time in proportion to the mean with another thread count; nil when there is none of
  /// this size, or none of late.
  func ratio(of sample: StepSample, toThreads threads: Int, step: Int) -> Double? {
    let key = Key(threads: threads, size: Self.sizeClass(sample.shape.tokens))
    guard let mean = means[key], step - mean.last <= Self.lifetime, mean.seconds > 0 else {
      return nil
    }
    return sample.wall.inSeconds / Double(max(1, sample.shape.tokens)) / mean.seconds
  }

  /// How far the mean of the sample's kind stands above its floor: 1 at the floor.
  func excess(of sample: StepSample) -> Double {
    let key = Key(threads: sample.threads, size: Self.sizeClass(sample.shape.tokens))
    guard let mean = means[key], mean.count >= Self.window, mean.floor > 0 else { return 1 }
    return mean.seconds / mean.floor
  }

  /// Steps that a mean covers.
  private static let window = 8
  /// Steps after which a mean without new samples says nothing about now.
  private static let lifetime = 64

  /// Sizes that cost about the same a token: each one to 16, then half octaves.
  ///
  ///     16 ▸ 16    17…22 ▸ 17    23…31 ▸ 18    32…45 ▸ 19    512 ▸ 27
  static func sizeClass(_ tokens: Int) -> Int {
    if tokens <= 16 { return max(0, tokens) }
    let octave = Int.bitWidth - 1 - tokens.leadingZeroBitCount
    let isUpper = tokens >= (181 << octave) >> 7  // √2 is 181 ⁄ 128
    return 17 + 2 * (octave - 4) + (isUpper ? 1 : 0)
  }
}

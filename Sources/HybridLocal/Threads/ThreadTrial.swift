/// Some steps with another thread count, to see whether it is the better one.
struct ThreadTrial: Sendable {
  enum Cause: Sendable, Hashable {
    /// The threads do not get the CPUs that they want, or their steps have become slow.
    case crowded
    /// CPUs stand idle.
    case idle
    /// Nothing was observed: now and then another count is tried all the same.
    case curiosity
  }

  enum Verdict: Sendable, Hashable {
    case better
    case worse
    /// No step could be compared.
    case unknown
  }

  /// The level tried.
  let level: Int
  let cause: Cause
  /// Steps made so far.
  private(set) var steps = 0
  private var compared = 0
  private var sum = 0.0
  private var limits = 0.0
  private var lost = 0.0

  init(level: Int, cause: Cause) {
    self.level = level
    self.cause = cause
  }

  /// - Parameters:
  ///   - sample: a step of the trial.
  ///   - ratio: its time in proportion to that with the old count; nil where the old count has no
  ///     like step.
  ///   - old: threads that it would have had.
  /// - Returns: the verdict when there is one.
  mutating func record(_ sample: StepSample, ratio: Double?, old: Int) -> Verdict? {
    steps += 1
    guard let ratio, sample.threads != old else { return steps == Self.longest ? .unknown : nil }
    compared += 1
    sum += ratio
    limits += limit(sample, old: old)
    lost += sample.threads > old ? sample.lostCPUs ?? 0 : 0
    if compared == Self.length {
      // Threads that crowd one another may be lucky for four steps, but not for long.
      return sum <= limits && lost < Self.crowdedCPUs * Double(Self.length) ? .better : .worse
    }
    // Nothing that the other steps can be makes up for it.
    if sum > limits / Double(compared) * Double(Self.length) { return .worse }
    // What was tried without cause must not cost much.
    if cause == .curiosity, compared == 1, ratio > 1.25 { return .worse }
    return nil
  }

  /// Steps to compare.
  private static let length = 4
  private static let longest = 12

  /// CPUs lost on average by which more threads are too many.
  private static let crowdedCPUs = 0.35

  /// The ratio at which the new count is worth the change. Fewer threads must win clearly. More must
  /// bring a fifth of what they bring at best, since neighbours that come back cost much:
  ///
  ///     2 ▸ 1: 0.95    1 ▸ 2: 0.90    54 ▸ 64: 0.97    63 ▸ 64: 0.997
  ///
  /// Where CPUs were seen idle and the threads got them, it is enough that more do no harm.
  private func limit(_ sample: StepSample, old: Int) -> Double {
    if sample.threads < old { return 0.95 }
    if cause == .idle, sample.cpu != nil { return 1.02 }
    return 1 - 0.2 * (1 - Double(old) / Double(sample.threads))
  }
}

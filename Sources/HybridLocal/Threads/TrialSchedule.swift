/// When the next trial in one direction is due, and how far it goes.
///
/// A trial that failed is repeated after 16 steps, then 32, … 256, so that a sign that means nothing
/// costs little. A sign that has become stronger since counts at once.
struct TrialSchedule: Sendable {
  /// No trial before this step.
  private var earliest = 0
  /// A trial without a sign counts from here.
  private var quietSince = 0
  private var wait = Self.shortestWait
  /// The sign that the last failed trial followed.
  private var failedEvidence: Double?
  /// Failed in a row.
  private var failures = 0

  /// - Parameters:
  ///   - evidence: the sign's strength, in CPUs; 0: none.
  ///   - reaches: by how many threads to change, for the trials in a row.
  ///   - curiosity: steps after which a trial needs no sign.
  /// - Returns: by how many threads to change, 1 or more; nil: not now.
  func stride(step: Int, evidence: Double, reaches: [Int], curiosity: Int) -> Int? {
    let isStronger = failedEvidence.map { evidence > $0 + Self.notable } ?? false
    let due =
      switch (evidence > 0, isStronger) {
      case (true, true): quietSince + Self.shortestWait / 2
      case (true, false): earliest
      case (false, _): max(earliest, quietSince + curiosity)
      }
    guard step >= due else { return nil }
    return max(1, reaches[isStronger ? 0 : failures % reaches.count])
  }

  /// - Parameter isKnown: false when the trial found nothing to compare.
  mutating func failed(step: Int, evidence: Double, isKnown: Bool) {
    quietSince = step
    guard isKnown else {
      earliest = step + Self.shortestWait / 2
      return
    }
    failures += 1
    guard evidence > 0 else { return }
    failedEvidence = evidence
    earliest = step + wait
    wait = min(wait * 2, Self.longestWait)
  }

  /// The level has changed: what was learnt about the old one is over.
  mutating func moved(step: Int) {
    earliest = step + Self.shortestWait / 2
    quietSince = step
    wait = Self.shortestWait
    failedEvidence = nil
    failures = 0
  }

  /// A trial without a sign may come at once.
  mutating func encourage(step: Int) {
    earliest = step
    quietSince = Int.min / 2
  }

  private static let shortestWait = 16
  private static let longestWait = 256
  /// CPUs by which a sign is stronger than another.
  private static let notable = 0.15
}

package import HybridCore

/// Finds the best thread counts by trying those around a guess. Pure: it says what to measure next and
/// takes the durations.
///
/// The candidates take turns, so that a passing load hits them alike, and the median of three counts.
package struct ThreadTuner: Sendable {
  package enum Kind: Sendable, Hashable { case decode, prefill }

  package struct Measurement: Sendable, Hashable {
    package let kind: Kind
    package let threads: Int
  }

  /// What tuning came to.
  package enum Outcome: Sendable, Hashable {
    case counts(ThreadCounts)
    /// Other work took so many CPUs meanwhile, and the numbers say more of it than of the counts.
    case crowded(cpus: Double)
    /// Somebody wants the engine to end.
    case cancelled
    /// The system has no more threads.
    case refused(threads: Int)
  }

  private var round: [Measurement]
  private var done = 0
  private var spent = Duration.zero
  private var times: [Measurement: [Duration]] = [:]

  /// - Parameters:
  ///   - guess: what ``ThreadPlan`` says.
  ///   - most: CPUs that may be used, ``CPUBudget/logicalCPUs``.
  package init(guess: ThreadCounts, most: Int) {
    let decode = Self.candidates(around: guess.decode, most: most)
    let prefill = Self.candidates(around: guess.prefill, most: most)
    // Both kinds for a count before the next one: to change the count costs a warm-up.
    round = Set(decode + prefill).sorted().flatMap { threads in
      (decode.contains(threads) ? [Measurement(kind: .decode, threads: threads)] : [])
        + (prefill.contains(threads) ? [Measurement(kind: .prefill, threads: threads)] : [])
    }
  }

  /// Whether there is anything to choose from.
  package var isOfUse: Bool { Set(round.map(\.threads)).count > 1 }

  /// Half the guess, the guess and its neighbours, within 1…`most`; ascending.
  static func candidates(around guess: Int, most: Int) -> [Int] {
    let range = 1...max(1, most)
    return Set([guess / 2, guess - 1, min(guess, range.upperBound), guess + 1])
      .filter(range.contains).sorted()
  }

  /// What to measure now; nil when enough is done.
  package var next: Measurement? {
    let isRoundOver = done > 0 && done % round.count == 0
    if isRoundOver, done == Self.rounds * round.count || spent >= Self.enough { return nil }
    return round[done % round.count]
  }

  /// How long the work of ``next`` took.
  package mutating func record(_ time: Duration) {
    guard let next else { return }
    times[next, default: []].append(time)
    spent += time
    done += 1
  }

  /// The best counts; nil until all is measured. Of counts within 3 % of each other the smallest:
  /// the CPUs that it leaves are of use to others.
  package var result: ThreadCounts? {
    guard next == nil, let decode = best(.decode), let prefill = best(.prefill) else { return nil }
    return ThreadCounts(decode: decode, prefill: prefill)
  }

  private func best(_ kind: Kind) -> Int? {
    let medians = times.filter { $0.key.kind == kind }
      .map { (threads: $0.key.threads, time: $0.value.sorted()[$0.value.count / 2].inSeconds) }
    guard let least = medians.map(\.time).min() else { return nil }
    return medians.filter { $0.time <= least * 1.03 }.map(\.threads).min()
  }

  private static let rounds = 3
  /// Time in measurements after which no further round begins: a large model's first is long enough.
  private static let enough = Duration.seconds(10)
}

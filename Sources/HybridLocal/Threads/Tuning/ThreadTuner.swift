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

  private var plan: [Measurement] = []
  private var done = 0
  private var times: [Measurement: [Duration]] = [:]

  /// - Parameters:
  ///   - guess: what ``ThreadPlan`` says.
  ///   - most: CPUs that may be used, ``CPUBudget/logicalCPUs``.
  package init(guess: ThreadCounts, most: Int) {
    let measurements =
      Self.candidates(around: guess.decode, most: most).map {
        Measurement(kind: .decode, threads: $0)
      }
      + Self.candidates(around: guess.prefill, most: most).map {
        Measurement(kind: .prefill, threads: $0)
      }
    for _ in 0..<Self.rounds { plan += measurements }
  }

  /// Half the guess, the guess and its neighbours, within 1…`most`; ascending.
  static func candidates(around guess: Int, most: Int) -> [Int] {
    let range = 1...max(1, most)
    return Set([guess / 2, guess - 1, guess, guess + 1].filter(range.contains)).sorted()
  }

  /// What to measure now; nil when all is done.
  package var next: Measurement? { done < plan.count ? plan[done] : nil }

  /// How long the work of ``next`` took.
  package mutating func record(_ time: Duration) {
    guard let next else { return }
    times[next, default: []].append(time)
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
}

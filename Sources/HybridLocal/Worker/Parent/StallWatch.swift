package import HybridCore

/// Whether a worker that owes something gets on. Pure: somebody sleeps until the moment that it names,
/// and then asks again.
///
/// Only the time in which this process is awake counts: it looks eight times within the limit, and
/// however late a look is, no more than an eighth counts for it. So neither a stop of this process nor
/// a sleep of the machine or its host makes a worker guilty that could say nothing meanwhile, or
/// whose words wait unread. Time in which the worker alone is stopped by a signal does not count
/// either, up to ten times the limit: one that stays so is no better than one that hangs.
package struct StallWatch: Sendable, Hashable {
  package enum Verdict: Sendable, Hashable {
    case wait(until: Moment)
    /// It said nothing for too long.
    case stalled
    /// It said too long that it gets on, and nothing else.
    case onlyBeats
  }

  /// Looks within the limit.
  package static let steps = 8

  /// Limits for which a stopped worker is waited for.
  package static let mostExcuses = 10

  private let silenceLimit: Duration
  private let beatLimit: Duration
  private var counted: Moment
  /// Since it said anything, and since it said more than that it gets on.
  private var silence = Duration.zero
  private var monotony = Duration.zero
  /// Stopped, since it said more than that it gets on.
  private var excused = Duration.zero

  /// - Parameters:
  ///   - silence: the time that it may say nothing.
  ///   - beats: the time that it may say that it gets on, and nothing else.
  package init(silence: Duration, beats: Duration, at now: Moment) {
    silenceLimit = silence
    beatLimit = beats
    counted = now
  }

  private var step: Duration { silenceLimit / Self.steps }

  /// When to look next.
  package var next: Moment { counted + step }

  /// It begins to owe something.
  package mutating func begin(at now: Moment) {
    self = StallWatch(silence: silenceLimit, beats: beatLimit, at: now)
  }

  /// - Parameters:
  ///   - isNews: it said more than that it gets on.
  ///   - waitsForReaders: all that it owes.
  package mutating func heard(at now: Moment, isNews: Bool, waitsForReaders: Bool = false) {
    let time = passed(until: now)
    if !waitsForReaders { monotony += time }
    silence = .zero
    if isNews {
      monotony = .zero
      excused = .zero
    }
  }

  /// - Parameters:
  ///   - isStopped: the worker, by a signal.
  ///   - isHeldUp: the reading of its words, by what the application does with one.
  ///   - waitsForReaders: all that it owes.
  package mutating func look(
    at now: Moment, isStopped: Bool = false, isHeldUp: Bool = false, waitsForReaders: Bool = false
  ) -> Verdict {
    let time = passed(until: now)
    if isHeldUp { return .wait(until: next) }
    if isStopped, excused < silenceLimit * Self.mostExcuses {
      excused += time
      return .wait(until: next)
    }
    silence += time
    if !waitsForReaders { monotony += time }
    if silence >= silenceLimit { return .stalled }
    return monotony >= beatLimit ? .onlyBeats : .wait(until: next)
  }

  private mutating func passed(until now: Moment) -> Duration {
    defer { counted = max(counted, now) }
    return min(max(.zero, now - counted), step)
  }
}

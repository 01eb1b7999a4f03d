package import HybridCore

/// Reads the thread plan anew now and then: a quota may be lowered or raised while the engine runs.
///
/// Holds no clock and no thread: whoever works asks, between two steps, whether it is time.
package struct PlanRefresher: Sendable {
  /// What a reading changed, with where each number comes from.
  package struct Change: Sendable, Hashable {
    package let from: ThreadPlan
    package let to: ThreadPlan

    /// The new ceilings.
    package var counts: ThreadCounts { to.counts }
  }

  package private(set) var plan: ThreadPlan
  private let settings: ThreadSettings
  private let tuned: TunedThreads?
  private let interval: Duration
  private var last: Moment

  /// - Parameters:
  ///   - plan: as it was read at `now`, with these settings and tuned counts.
  ///   - interval: time between two readings, each of which costs about 0.2 ms.
  package init(
    plan: ThreadPlan, settings: ThreadSettings, tuned: TunedThreads? = nil, at now: Moment,
    interval: Duration = .seconds(5)
  ) {
    self.plan = plan
    self.settings = settings
    self.tuned = tuned
    self.interval = interval
    last = now
  }

  package func isDue(at now: Moment) -> Bool { now - last >= interval }

  /// Reads when it is due.
  ///
  /// - Returns: the change where the counts are others than before; nil when they are not, or it was
  ///   not time yet. A number set by hand changes only where fewer CPUs are left.
  package mutating func refresh(from machine: Machine, at now: Moment) -> Change? {
    guard isDue(at: now) else { return nil }
    last = now
    let new = machine.threadPlan(settings, tuned: tuned)
    // A machine whose files cannot be read for a moment has not lost its CPUs.
    if new.budget.base == .unknown, plan.budget.base != .unknown { return nil }
    defer { plan = new }
    return new.counts == plan.counts ? nil : Change(from: plan, to: new)
  }
}

extension ThreadPlan {
  package var counts: ThreadCounts { ThreadCounts(decode: decode.count, prefill: prefill.count) }
}

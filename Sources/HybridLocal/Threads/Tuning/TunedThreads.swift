package import HybridCore

/// Thread counts that were measured for one model on this processor, under this and other quotas.
///
/// Held beside the ``ThreadPlan``, so that a quota that changes while the engine runs finds the counts
/// that were measured under it, or none.
package struct TunedThreads: Sendable, Hashable {
  package let subject: TuneSubject
  private var counts: [TuneKey: ThreadCounts]

  package init(subject: TuneSubject, counts: [TuneKey: ThreadCounts] = [:]) {
    self.subject = subject
    self.counts = counts
  }

  /// The counts measured with just these CPUs and this quota; nil where none were.
  package func counts(under budget: CPUBudget) -> ThreadCounts? {
    budget.base == .unknown ? nil : counts[subject.key(under: budget)]
  }

  package mutating func remember(_ new: ThreadCounts, under budget: CPUBudget) {
    counts[subject.key(under: budget)] = new
  }
}

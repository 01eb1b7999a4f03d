public import HybridCore

/// Comes by tuned thread counts for one model: out of the store, or by measuring once.
///
/// Nothing that goes wrong with the store or the measurement is an error: the machine's own counts
/// hold then, and the result says what happened.
package struct AutoTuner: Sendable {
  private let machine: Machine
  private let settings: ThreadSettings
  /// nil where neither `XDG_CACHE_HOME` nor `HOME` says where it would lie.
  package let store: TuneStore?
  /// What is known by now; nil where the model file could not be read.
  package private(set) var known: TunedThreads?
  /// What is wrong with the store or the file.
  private var problem: String?

  /// Reads the store and 128 KiB of the model.
  package init(
    modelPath: String, machine: Machine, settings: ThreadSettings, store: TuneStore?
  ) {
    self.machine = machine
    self.settings = settings
    self.store = store
    do throws(ModelFileError) {
      let subject = try TuneSubject(modelPath: modelPath, machine: machine)
      guard let (tuned, state) = store?.counts(for: subject) else {
        known = TunedThreads(subject: subject)
        problem = "neither XDG_CACHE_HOME nor HOME says where tuned threads are remembered"
        return
      }
      known = tuned
      problem = state.problem.map { "\(store?.path ?? "") \($0)" }
    } catch {
      problem = "the model file could not be read for tuning: \(error.hybridError.message)"
    }
  }

  /// What is known under the present quota.
  package var remembered: AutoTuneResult {
    let counts = settings.decode == nil ? known?.counts(under: machine.cpuBudget()) : nil
    return AutoTuneResult(
      threads: counts, origin: counts == nil ? .none : .remembered, warning: problem)
  }

  /// Measures, unless that is of no use: the counts are known, were set by hand, or there is but one.
  ///
  /// - Parameter measure: given the guess and the machine's CPUs.
  package mutating func tune(
    measure: (ThreadCounts, CPUBudget) throws(HybridError) -> ThreadTuner.Outcome
  ) -> AutoTuneResult {
    var result = remembered
    let plan = machine.threadPlan(settings, tuned: known)
    guard wantsMeasuring(plan) else { return result }
    do throws(HybridError) {
      switch try measure(plan.counts, plan.budget) {
      case .counts(let counts): result = remember(counts, measuredUnder: plan.budget)
      case .crowded(let cpus):
        let tenths = Int((cpus * 10).rounded())
        result.warning =
          "other work took \(tenths / 10).\(tenths % 10) CPUs while threads were measured, so "
          + "nothing is remembered"
      case .cancelled: result.warning = "the measurement of threads was stopped"
      case .refused(let threads):
        result.warning = "the system has no room for \(threads) threads, so none were measured"
      }
    } catch {
      result.warning = error.message
    }
    return result
  }

  /// Whether ``tune(measure:)`` would measure.
  package var wantsMeasuring: Bool { wantsMeasuring(machine.threadPlan(settings, tuned: known)) }

  private func wantsMeasuring(_ plan: ThreadPlan) -> Bool {
    settings.decode == nil && known != nil && known?.counts(under: plan.budget) == nil
      && plan.budget.base != .unknown
      && ThreadTuner(guess: plan.counts, most: plan.budget.logicalCPUs).isOfUse
  }

  private mutating func remember(
    _ counts: ThreadCounts, measuredUnder budget: CPUBudget
  ) -> AutoTuneResult {
    guard let subject = known?.subject else { return AutoTuneResult() }
    let now = machine.cpuBudget()
    if subject.key(under: now) != subject.key(under: budget) {
      return AutoTuneResult(
        warning: "CPUs or quota changed while threads were measured, so nothing is remembered")
    }
    known?.remember(counts, under: budget)
    let isKept = store?.remember(counts, for: subject.key(under: budget)) ?? false
    return AutoTuneResult(
      threads: counts, origin: .measured,
      warning: isKept ? nil : store.map { "\($0.path) cannot be written" } ?? problem)
  }
}

/// What tuning threads came to.
public struct AutoTuneResult: Sendable, Hashable {
  public enum Origin: String, Sendable, Hashable {
    /// There are none: the machine's own counts hold.
    case none
    /// By an earlier load, of this process or another.
    case remembered
    /// By the load just now.
    case measured
  }

  /// The most threads of a step, in place of what the machine suggests; nil where that holds.
  public var threads: ThreadCounts?
  public var origin: Origin
  /// What went wrong, in a sentence without its full stop. Never fails a load.
  public var warning: String?

  public init(threads: ThreadCounts? = nil, origin: Origin = .none, warning: String? = nil) {
    self.threads = threads
    self.origin = origin
    self.warning = warning
  }
}

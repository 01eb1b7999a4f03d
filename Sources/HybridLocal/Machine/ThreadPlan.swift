package import HybridCore

/// A number of threads, and what set it.
package struct ThreadCount: Sendable, Hashable {
  package enum Source: Sendable, Hashable {
    /// The caller's own setting.
    case explicit
    /// The environment variable of this name.
    case environment(String)
    /// Measured on this machine with this model.
    case tuned
    /// A control group's quota, rounded down.
    case quota(file: String)
    /// One thread a core.
    case physicalCores
    /// One thread a CPU.
    case logicalCPUs
    /// The machine does not tell which CPUs share a core, so each counts as one.
    case cpusTakenForCores
    /// Nothing could be read: one thread.
    case unknownMachine

    /// True where somebody chose the number.
    package var isSetting: Bool {
      switch self {
      case .explicit, .environment: true
      case .tuned, .quota, .physicalCores, .logicalCPUs, .cpusTakenForCores, .unknownMachine:
        false
      }
    }
  }

  package let count: Int
  package let source: Source
  /// What the setting said, where that is more than there are CPUs.
  package let asked: Int?

  package init(_ count: Int, _ source: Source, asked: Int? = nil) {
    self.count = count
    self.source = source
    self.asked = asked
  }
}

extension ThreadCount: CustomStringConvertible {
  package var description: String {
    switch source {
    case .explicit: "\(count) (set by the caller)"
    case .environment(let name): "\(count) (set by \(name))"
    case .tuned: "\(count) (measured with this model)"
    case .quota(let file): "\(count) (CPU quota in \(file), rounded down)"
    case .physicalCores: "\(count) (one a physical core)"
    case .logicalCPUs: "\(count) (one a logical CPU)"
    case .cpusTakenForCores: "\(count) (one a CPU; the machine does not tell its cores)"
    case .unknownMachine: "\(count) (the machine does not tell its CPUs)"
    }
  }
}

/// How many threads the engine uses, and why.
///
///     decode  = min(quota, physical cores)    each token waits for all threads: a core each
///     prefill = min(quota, logical CPUs)      large multiplications gain from a core's second thread
///
/// An explicit setting wins over both, then `HYBRID_THREADS`, then `LLAMA_ARG_THREADS`, then counts that
/// were measured. None of them is more than the logical CPUs: a thread without a CPU of its own keeps all
/// others waiting at each of some hundred barriers a token (3 threads on 2 CPUs: 0.3 tokens a second
/// where 2 give 90).
package struct ThreadPlan: Sendable, Hashable {
  /// Threads that generate tokens.
  package let decode: ThreadCount
  /// Threads that process the prompt.
  package let prefill: ThreadCount
  /// The numbers looked at.
  package let budget: CPUBudget

  package init(
    budget: CPUBudget, settings: ThreadSettings = .none, tuned: ThreadCounts? = nil
  ) {
    self.budget = budget
    decode =
      Self.limited(settings.decode, to: budget) ?? tuned.map { ThreadCount($0.decode, .tuned) }
      ?? Self.suggested(budget, budget.physicalCores, .physicalCores)
    prefill =
      Self.limited(settings.prefill ?? settings.decode, to: budget) ?? tuned.map {
        ThreadCount($0.prefill, .tuned)
      }
      ?? Self.suggested(budget, budget.logicalCPUs, .logicalCPUs)
  }

  private static func limited(_ setting: ThreadCount?, to budget: CPUBudget) -> ThreadCount? {
    guard let setting, budget.base != .unknown, setting.count > budget.logicalCPUs else {
      return setting
    }
    return ThreadCount(budget.logicalCPUs, setting.source, asked: setting.count)
  }

  private static func suggested(
    _ budget: CPUBudget, _ count: Int, _ source: ThreadCount.Source
  ) -> ThreadCount {
    if budget.base == .unknown { return ThreadCount(1, .unknownMachine) }
    let count = min(count, ThreadSettings.range.upperBound)
    if let quota = budget.quota, quota.threads < count {
      return ThreadCount(quota.threads, .quota(file: quota.file))
    }
    if budget.coresAreGuessed, source == .physicalCores {
      return ThreadCount(count, .cpusTakenForCores)
    }
    return ThreadCount(count, source)
  }
}

internal import HybridCore
internal import HybridLocal

/// How the options want the local model run.
struct LocalOptions: Sendable, Hashable {
  let threads: Int?
  let autoTunes: Bool
  let usesTuned: Bool
  let context: Int?
  let allowsBeyondTrained: Bool
  let parallel: Int?
  let isDeterministic: Bool
  let usesLookup: Bool
  let isIsolated: Bool

  /// - Throws: `usage` for a value out of its range, and for what deterministic answers exclude.
  init(_ arguments: ParsedArguments) throws(HybridError) {
    threads = try arguments.integer(.threads, in: ThreadSettings.range)
    autoTunes = arguments.has(.autoTune)
    usesTuned = arguments.has(.tuned)
    context = try arguments.integer(.context, in: 1...LoadPlan.longest)
    allowsBeyondTrained = arguments.has(.beyondTrained)
    parallel = try arguments.integer(.parallel, in: LoadPlan.Sharing.range)
    try arguments.refuseTogether(.deterministic, .lookup)
    isDeterministic = arguments.has(.deterministic)
    usesLookup = arguments.has(.lookup)
    isIsolated = arguments.has(.isolated)
  }
}

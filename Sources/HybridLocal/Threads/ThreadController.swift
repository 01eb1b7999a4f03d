package import HybridCore

/// Chooses the thread count of each step, so that it stays near the best one for the load of the moment.
///
/// Beside a busy neighbour all threads of a step wait, at each operation, for the one that lost its
/// CPU: one thread too many makes decoding three to five times as slow. So the planned counts are
/// ceilings. The controller watches what the steps cost and tries another count for a few of them
/// when something speaks for it:
///
///     its threads do not get their CPUs, or steps have become slow  ▸  fewer
///     CPUs stand idle                                               ▸  more
///     nothing was seen for a while                                  ▸  one more or fewer, a step or two
///
/// What a trial measures decides, never the sign that led to it. A pure state machine: before a step
/// ask ``threads(for:)``, after it ``record(_:)`` how it went. A step that was aborted or failed is
/// not recorded.
package struct ThreadController: Sendable {
  /// The most threads of a step: `decode` for one that only generates, `prefill` for one with a prompt.
  package private(set) var ceilings: ThreadCounts
  /// False when somebody set the counts: then they are the ceilings, always.
  package let isAdaptive: Bool

  /// CPUs that the engine counts on; a step's threads are as many, within its ceiling.
  package private(set) var level: Int
  /// Times that the level has changed, for reports.
  package private(set) var changes = 0

  /// Steps recorded.
  private var step = 0
  private var times = StepTimes()
  private var trial: ThreadTrial?

  /// CPUs lost by a step on average, over the last eight at this level.
  private var lost = 0.0
  private var lostCount = 0
  /// How far the steps stand above their floor.
  private var excess = 1.0
  /// CPUs idle at this level, when last read.
  private var idle: Double?
  private var idleRead = 0

  private var fewer = TrialSchedule()
  private var more = TrialSchedule()

  /// - Parameter ceilings: 1 or more each; what ``ThreadPlan`` says.
  package init(ceilings: ThreadCounts, isAdaptive: Bool = true) {
    self.ceilings = ceilings
    self.isAdaptive = isAdaptive
    level = max(1, ceilings.decode, ceilings.prefill)
  }

  /// The plan may have changed: a quota was lowered or raised. A level that stood at the ceiling
  /// follows it.
  package mutating func setCeilings(_ new: ThreadCounts) {
    guard new != ceilings else { return }
    let wasFull = level >= mostThreads
    ceilings = new
    trial = nil
    move(to: wasFull ? mostThreads : min(level, mostThreads))
  }

  /// Threads for the next step.
  package mutating func threads(for shape: StepShape) -> Int {
    let ceiling = ceiling(of: shape)
    guard isAdaptive else { return ceiling }
    if trial == nil { trial = nextTrial(ceiling: ceiling) }
    return min(trial?.level ?? level, ceiling)
  }

  /// Whether the next sample should say how many CPUs stood idle.
  package var idleWatch: IdleCPUWatch {
    guard isAdaptive, level < mostThreads else { return .off }
    return step - idleRead >= Self.idleInterval ? .due : .running
  }

  package mutating func record(_ sample: StepSample) {
    guard isAdaptive, sample.wall > .zero, sample.shape.tokens > 0, mostThreads > 1 else { return }
    step += 1
    if let read = sample.idleCPUs { (idle, idleRead) = (read, step) }
    let own = min(level, ceiling(of: sample.shape))
    guard var trial else {
      times.record(sample, step: step)
      if sample.threads == own { observe(sample) }
      return
    }
    let ratio = times.ratio(of: sample, toThreads: own, step: step)
    let verdict = trial.record(sample, ratio: ratio, old: own)
    self.trial = trial
    times.record(sample, step: step)
    if let verdict { conclude(trial, verdict) }
  }

  private var mostThreads: Int { max(1, ceilings.decode, ceilings.prefill) }

  private func ceiling(of shape: StepShape) -> Int {
    max(1, shape.prompt > 0 ? ceilings.prefill : ceilings.decode)
  }

  private mutating func observe(_ sample: StepSample) {
    excess = times.excess(of: sample)
    guard let cpus = sample.lostCPUs else { return }
    lostCount += 1
    lost += (cpus - lost) / Double(min(lostCount, Self.window))
  }

  /// The trial to begin with a step of this ceiling, if any.
  private mutating func nextTrial(ceiling: Int) -> ThreadTrial? {
    let threads = min(level, ceiling)
    if threads > 1 {
      let evidence = crowding
      // A neighbour that takes a whole CPU costs a thread half of it. Where CPU time says nothing,
      // half the threads are a guess that shows a difference.
      let isMeasured = evidence > 0 && lost >= Self.crowdedCPUs
      if let stride = fewer.stride(
        step: step, evidence: evidence,
        reaches: [isMeasured ? Int((lost * 2).rounded()) : threads / 2, threads / 2, 1],
        curiosity: Self.rarely)
      {
        return ThreadTrial(
          level: max(1, threads - stride), cause: evidence > 0 ? .crowded : .curiosity)
      }
    }
    if level < ceiling {
      let evidence = (idle ?? 0) >= Self.idleCPUs ? idle ?? 0 : 0
      // Where idle CPUs are not told, only trying finds out that the neighbours have gone.
      if let stride = more.stride(
        step: step, evidence: evidence,
        reaches: [evidence > 0 ? Int(evidence.rounded()) : ceiling - level, 1],
        curiosity: idle == nil ? Self.often : Self.rarely)
      {
        return ThreadTrial(
          level: min(mostThreads, level + stride), cause: evidence > 0 ? .idle : .curiosity)
      }
    }
    return nil
  }

  /// The sign that neighbours take CPUs away, in CPUs; 0 when there is none.
  private var crowding: Double {
    if lostCount >= Self.fewestSamples, lost >= Self.crowdedCPUs { return lost }
    return excess >= Self.slow ? 0.5 : 0
  }

  private mutating func conclude(_ trial: ThreadTrial, _ verdict: ThreadTrial.Verdict) {
    self.trial = nil
    if verdict == .better { return move(to: trial.level) }
    let isKnown = verdict == .worse
    switch trial.cause {
    case .crowded: fewer.failed(step: step, evidence: crowding, isKnown: isKnown)
    case .idle: more.failed(step: step, evidence: idle ?? 0, isKnown: isKnown)
    case .curiosity:
      if trial.level < level {
        fewer.failed(step: step, evidence: 0, isKnown: isKnown)
      } else {
        more.failed(step: step, evidence: 0, isKnown: isKnown)
      }
    }
  }

  private mutating func move(to new: Int) {
    let isMore = new > level
    if new != level { changes += 1 }
    level = new
    (lost, lostCount, excess, idle, idleRead) = (0, 0, 1, nil, step)
    fewer.moved(step: step)
    more.moved(step: step)
    // More was better: perhaps still more is.
    if isMore { more.encourage(step: step) }
  }

  /// Samples that an average covers, and the fewest that make one.
  private static let window = 8
  private static let fewestSamples = 6
  /// CPUs lost on average that are a sign of neighbours: one that is always busy takes half.
  private static let crowdedCPUs = 0.2
  /// Times the floor that are a sign of neighbours, where the threads' CPU time says nothing.
  private static let slow = 1.3
  /// CPUs idle that are worth a trial.
  private static let idleCPUs = 0.5
  private static let idleInterval = 8
  /// Steps between trials without a sign: where signs can be read, and where they cannot.
  private static let rarely = 256
  private static let often = 20
}

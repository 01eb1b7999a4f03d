#if LocalLlama
  package import HybridCore

  /// Gives each step its threads, and learns from how it went.
  package struct StepThreads: Sendable {
    /// What the counts follow.
    package struct Source: Sendable {
      package var machine: Machine
      package var plan: ThreadPlan
      package var settings: ThreadSettings
      /// False: the plan's counts, always.
      package var isAdaptive: Bool

      package init(
        machine: Machine, plan: ThreadPlan, settings: ThreadSettings, isAdaptive: Bool = true
      ) {
        self.machine = machine
        self.plan = plan
        self.settings = settings
        self.isAdaptive = isAdaptive
      }
    }

    private let source: Source
    private var controller: ThreadController
    private var meter: StepMeter
    private var refresher: PlanRefresher
    private var shape = StepShape(generated: 0)
    private var idleWatch = IdleCPUWatch.off
    /// Of the step that began last.
    package private(set) var count: Int
    /// A count that the system had no threads for; not asked for again before another one.
    private var refused: Int?
    private var isSet = false

    package init(_ source: Source, at now: Moment) {
      self.source = source
      let isSet = [source.plan.decode.source, source.plan.prefill.source].contains { $0.isSetting }
      controller = ThreadController(
        ceilings: source.plan.counts, isAdaptive: source.isAdaptive && !isSet)
      meter = StepMeter(files: source.machine.files, cpus: source.plan.budget.allowed)
      count = source.plan.decode.count
      refresher = PlanRefresher(plan: source.plan, settings: source.settings, at: now)
    }

    /// Sets the threads of the next decode.
    mutating func begin(_ shape: StepShape, on context: borrowing LlamaContext, at now: Moment) {
      if source.isAdaptive, let change = refresher.refresh(from: source.machine, at: now) {
        controller.setCeilings(change.counts)
      }
      self.shape = shape
      let wanted = controller.threads(for: shape)
      // Where the system has no threads left, those that there are go on.
      if wanted != count || !isSet, wanted != refused {
        isSet = context.setThreads(wanted)
        refused = isSet ? nil : wanted
        if isSet { count = wanted }
      }
      idleWatch = controller.idleWatch
      meter.begin(at: now, computeTime: context.computeTime)
    }

    /// The decode came to its end.
    mutating func end(on context: borrowing LlamaContext, at now: Moment) {
      controller.record(
        meter.end(
          shape, threads: count, at: now, computeTime: context.computeTime, idleWatch: idleWatch))
    }
  }
#endif

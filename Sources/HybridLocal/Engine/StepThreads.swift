#if LocalLlama
  package import HybridCore

  /// Gives each step its threads, and learns from how it went.
  package struct StepThreads: Sendable {
    /// What the counts follow.
    package struct Source: Sendable {
      package var machine: Machine
      /// As it was read when this was made.
      package private(set) var plan: ThreadPlan
      package var settings: ThreadSettings
      /// Counts that were measured; they change nothing that was set.
      package var tuned: TunedThreads?
      /// False: the plan's counts, always.
      package var isAdaptive: Bool

      package init(
        machine: Machine, settings: ThreadSettings, tuned: TunedThreads? = nil,
        isAdaptive: Bool = true
      ) {
        self.machine = machine
        self.settings = settings
        self.tuned = tuned
        plan = machine.threadPlan(settings, tuned: tuned)
        self.isAdaptive = isAdaptive
      }

      /// Whether the counts follow the load of the moment.
      package var adapts: Bool { isAdaptive && !isSet }

      /// Whether somebody chose a count.
      package var isSet: Bool {
        [plan.decode.source, plan.prefill.source].contains { $0.isSetting }
      }

      /// The plan read anew, with what has been measured meanwhile.
      func with(_ tuned: TunedThreads?) -> Source {
        Source(machine: machine, settings: settings, tuned: tuned, isAdaptive: isAdaptive)
      }
    }

    private let source: Source
    private var controller: ThreadController
    package private(set) var meter: StepMeter
    private var refresher: PlanRefresher
    private var shape = StepShape(generated: 0)
    private var idleWatch = IdleCPUWatch.off
    /// Of the step that began last.
    package private(set) var count: Int
    /// A count that the system had no threads for; not asked for again before another one, or before
    /// the plan is read anew.
    private var refused: Int?
    private var isSet = false

    package init(_ source: Source, at now: Moment) {
      self.source = source
      controller = ThreadController(ceilings: source.plan.counts, isAdaptive: source.adapts)
      meter = StepMeter(files: source.machine.files, cpus: source.plan.budget.allowed)
      count = source.plan.decode.count
      refresher = PlanRefresher(
        plan: source.plan, settings: source.settings, tuned: source.tuned, at: now)
    }

    /// Sets the threads of the next decode.
    package mutating func begin(
      _ shape: StepShape, on context: borrowing LlamaContext, at now: Moment
    ) {
      if source.isAdaptive { refresh(at: now) }
      self.shape = shape
      let wanted = controller.threads(for: shape)
      // Where the system has no threads left, those that there are go on.
      if wanted != count || !isSet, wanted != refused {
        isSet = context.setThreads(wanted)
        refused = isSet ? nil : wanted
        count = context.threadCount
      }
      idleWatch = controller.idleWatch
      meter.begin(at: now, computeTime: context.computeTime)
    }

    private mutating func refresh(at now: Moment) {
      guard refresher.isDue(at: now) else { return }
      refused = nil
      if let change = refresher.refresh(from: source.machine, at: now) {
        controller.setCeilings(change.counts)
      }
      meter.watch(refresher.plan.budget.allowed)
    }

    /// The decode came to its end.
    package mutating func end(on context: borrowing LlamaContext, at now: Moment) {
      controller.record(
        meter.end(
          shape, threads: count, at: now, computeTime: context.computeTime, idleWatch: idleWatch))
    }
  }
#endif

internal import HybridCore
internal import HybridRouting

/// One request on its way: does what ``RunState`` decides.
///
/// Driven by its reader: nothing happens between two calls of ``next()``.
struct AnswerRun {
  /// All that is settled before anything runs.
  struct Ready: Sendable {
    let chat: HybridChat
    let request: ChatRequest
    let plan: RoutingPlan
    let begun: Moment
    let control = RunControl()

    /// Whether output reaches the caller before the end.
    let handsOut: Bool

    var deadline: Moment? { request.deadline.map { begun + $0 } }
  }

  private let ready: Ready
  private let reader: RunReader
  private var state: RunState
  /// Of the side that runs; a new one for each, so that nothing reported late counts for another.
  private var attempts = AttemptLog()
  private var events: ExecutorStream.Iterator?

  init(_ ready: Ready) {
    self.ready = ready
    reader = RunReader(ready.control)
    state = RunState(
      plan: ready.plan, policy: ready.chat.policy, choices: ready.request.choices,
      begun: ready.begun, deadline: ready.deadline, handsOut: ready.handsOut)
  }

  mutating func next() async throws(HybridError) -> AnswerEvent? {
    guard reader.mayRead else {
      throw HybridError(
        .invalidRequest, "this answer's stream was read before",
        nextStep: "Ask again for a new stream")
    }
    while true {
      switch state.next(circumstances) {
      case .emit(let event): return event
      case .start(let side): await start(on: side)
      case .pull: await pull()
      case .end: return nil
      case .fail(let error):
        // Dropped, a side that still runs stops.
        ended()
        throw error
      }
    }
  }

  private var circumstances: RunState.Circumstances {
    let isStopped = ready.control.isCancelled
    return RunState.Circumstances(
      now: ready.chat.time.now(),
      stop: isStopped ? .inGoodOrder : Task.isCancelled ? .byTask : nil,
      refusal: { [constraints = ready.chat.constraints, request = ready.request] side in
        constraints.reason(against: side, for: request)
      })
  }

  private mutating func start(on side: Side) async {
    attempts = AttemptLog()
    let context = context(for: side)
    // A task of its own, so that `cancel()` reaches it while this one waits for it.
    let task = Task { [ready] () async -> Result<ExecutorStream, HybridError> in
      do throws(HybridError) {
        return .success(try await ready.chat.start(ready.request, on: side, in: context))
      } catch {
        return .failure(error)
      }
    }
    ready.control.enter { task.cancel() }
    let started = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    ready.control.leave()
    tellAttempts()
    switch started {
    case .success(let stream):
      ready.control.enter { stream.cancel() }
      events = stream.makeAsyncIterator()
      state.accepted()
    case .failure(let error):
      state.failed(error, circumstances)
    }
  }

  private mutating func pull() async {
    let event: ExecutorEvent?
    do throws(HybridError) {
      event = try await events?.next()
    } catch {
      ended()
      return state.failed(error, circumstances)
    }
    if event?.isOutput ?? false { tellAttempts() } else { ended() }
    state.received(event, circumstances)
  }

  /// The side has nothing more to say, and nothing more to be stopped.
  private mutating func ended() {
    ready.control.leave()
    events = nil
    tellAttempts()
  }

  private mutating func tellAttempts() {
    for attempt in attempts.takeNew() { state.attempted(attempt) }
  }

  private func context(for side: Side) -> ExecutionContext {
    let policy = ready.chat.policy
    let mayFallBack = state.mayFallBack(from: side)
    return ExecutionContext(
      deadline: ready.deadline,
      patience: mayFallBack ? policy.patience : nil,
      limits: policy.limits.timeLimits(hasLocalSide: mayFallBack),
      failures: policy.failures,
      permit: { [constraints = ready.chat.constraints, request = ready.request] _ in
        constraints.refusal(of: side, for: request)
      },
      onAttempt: { [attempts] in attempts.append($0) }, collects: !ready.handsOut,
      standsIn: side == .local && ready.request.model.map(policy.allowsStandIn) ?? false)
  }
}

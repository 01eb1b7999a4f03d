internal import HybridCore
internal import HybridRouting

/// One request on its way: starts the side that the plan chose, hands on its events, and lets the
/// other side take over where the failure table allows it.
///
/// Driven by its reader: nothing happens between two calls of ``next()``.
struct AnswerRun {
  private enum Phase {
    case planned
    case starting(Side)
    case running(Side, ExecutorStream.Iterator)
    case ended
  }

  /// All that is settled before anything runs.
  struct Ready: Sendable {
    let chat: HybridChat
    let request: ChatRequest
    let plan: RoutingPlan
    let begun: Moment
    let control = RunControl()

    /// Whether output reaches the caller before the end. Where it does not, no side is committed.
    let handsOut: Bool
  }

  private let ready: Ready
  private let reader: RunReader
  private let attempts = AttemptLog()
  private var phase = Phase.planned
  private var pending: [AnswerEvent] = []
  private var output = CollectedOutput()
  private var reason: Reason?
  private var firstOutput: Moment?
  private var failure: HybridError?

  init(_ ready: Ready) {
    self.ready = ready
    reader = RunReader(ready.control)
    reason = ready.plan.reason
  }

  mutating func next() async throws(HybridError) -> AnswerEvent? {
    while pending.isEmpty {
      switch phase {
      case .planned:
        try begin()
      case .starting(let side):
        await start(on: side)
      case .running(let side, let iterator):
        await advance(iterator, on: side)
      case .ended:
        guard let failure else { return nil }
        self.failure = nil
        throw failure
      }
    }
    return pending.removeFirst()
  }

  private mutating func begin() throws(HybridError) {
    guard reader.mayRead else {
      throw HybridError(
        .invalidRequest, "this answer's stream was read before",
        nextStep: "Ask again for a new stream")
    }
    pending.append(.plan(ready.plan))
    if let side = ready.plan.ranOn {
      phase = .starting(side)
    } else {
      end(throwing: ready.plan.noSideError)
    }
  }

  // MARK: One side

  private mutating func start(on side: Side) async {
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
    collectEarlierAttempts(of: side)
    switch started {
    case .success(let stream):
      ready.control.enter { stream.cancel() }
      phase = .running(side, stream.makeAsyncIterator())
    case .failure(let error):
      fail(on: side, error)
    }
  }

  private mutating func advance(_ iterator: ExecutorStream.Iterator, on side: Side) async {
    let event: ExecutorEvent?
    do throws(HybridError) {
      event = try await iterator.next()
    } catch {
      return fail(on: side, error)
    }
    collectEarlierAttempts(of: side)
    switch event {
    case .text(let text):
      output.text += text
      handOut(.text(text))
    case .reasoning(let text):
      output.reasoning += text
      handOut(.reasoning(text))
    case .toolCall(let call):
      output.toolCalls.append(call)
      handOut(.toolCall(call))
    case .finished(let completion):
      finish(on: side, completion)
    case nil:
      let message = "the \(side.rawValue) side ended its answer without saying how"
      fail(on: side, HybridError(.truncated, message, side: side))
    }
  }

  private mutating func handOut(_ event: AnswerEvent) {
    if firstOutput == nil { firstOutput = ready.chat.time.now() }
    pending.append(event)
  }

  // MARK: How it ends

  private mutating func finish(on side: Side, _ completion: Completion) {
    let isCancelled = completion.finishReason == .cancelled
    attempts.close(side: side, failure: isCancelled ? .cancelled : nil, at: ready.chat.time.now())
    collectAttempts()
    ready.control.leave()
    var completion = completion
    completion.timings.firstToken = firstOutput.map { $0 - ready.begun }
    completion.timings.total = ready.chat.time.now() - ready.begun
    completion.usage = completion.usage ?? output.estimatedUsage(of: ready.plan)
    pending.append(
      .done(
        Answer(
          text: output.text, reasoning: output.reasoning.isEmpty ? nil : output.reasoning,
          toolCalls: output.toolCalls, ranOn: side, reason: reason, completion: completion,
          attempts: attempts.all, plan: ready.plan)))
    phase = .ended
  }

  private mutating func fail(on side: Side, _ error: HybridError) {
    ready.control.leave()
    if error.code == .cancelled, ready.control.isCancelled {
      return finish(on: side, Completion(finishReason: .cancelled, model: nil))
    }
    attempts.close(
      side: side, failure: error.code, status: error.gateway?.status, at: ready.chat.time.now())
    collectAttempts()
    let isCommitted = ready.handsOut && !output.isEmpty
    if !isCommitted, !isOver, let other = Fallback.side(after: error, on: side, in: ready),
      !attempts.includes(other)
    {
      let reason = Fallback.reason(for: error, on: side)
      self.reason = reason
      output = CollectedOutput()
      firstOutput = nil
      pending.append(.fallback(from: side, to: other, reason: reason))
      phase = .starting(other)
      return
    }
    var failure = isCommitted && error.code != .cancelled ? error.interrupting(side) : error
    failure.side = failure.side ?? side
    failure.committed = isCommitted
    failure.partialText = output.text.isEmpty ? failure.partialText : output.text
    failure.attempts = attempts.all
    end(throwing: failure)
  }

  /// True where no side may start any more: the caller stopped the request, or its time has passed.
  private var isOver: Bool {
    ready.control.isCancelled || Task.isCancelled
      || deadline.map { $0 <= ready.chat.time.now() } ?? false
  }

  private mutating func end(throwing error: HybridError?) {
    failure = error
    phase = .ended
  }

  // MARK: What the side is told

  private var deadline: Moment? { ready.request.deadline.map { ready.begun + $0 } }

  private func context(for side: Side) -> ExecutionContext {
    let policy = ready.chat.policy
    let mayFallBack = ready.plan.fallback == side.other && !attempts.includes(side.other)
    attempts.open(side: side, at: ready.chat.time.now())
    return ExecutionContext(
      deadline: deadline,
      patience: mayFallBack ? policy.patience : nil,
      limits: policy.limits.timeLimits(hasLocalSide: ready.chat.local != nil),
      failures: policy.failures,
      permit: { [constraints = ready.chat.constraints, request = ready.request] _ in
        constraints.refusal(of: side, for: request)
      },
      onAttempt: { [attempts] in attempts.append($0) })
  }

  /// While output may still come: the local side works ahead of its reader, and its one attempt may
  /// have ended before all of its output was read. It is told at the end.
  private mutating func collectEarlierAttempts(of side: Side) {
    if side == .remote { collectAttempts() }
  }

  private mutating func collectAttempts() {
    pending += attempts.takeNew().map(AnswerEvent.attempt)
  }
}

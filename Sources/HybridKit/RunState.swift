internal import HybridCore
internal import HybridRouting

/// One request on its way, as decisions: which side starts, what is handed out, which side takes over
/// and how it ends.
///
/// Pure: knows no task, no lock and no clock. ``AnswerRun`` asks for the next step, does it, and tells
/// what came of it.
struct RunState: Sendable {
  enum Step: Sendable {
    case emit(AnswerEvent)
    /// Start the request on the side, then tell ``accepted()`` or ``failed(_:_:)``.
    case start(Side)
    /// Ask the running side for its next event, then tell ``received(_:_:)`` or ``failed(_:_:)``.
    case pull(Side)
    case end
    case fail(HybridError)
  }

  /// What is so at the moment of a decision.
  struct Circumstances {
    var now: Moment
    var stop: Stop?
    /// Why a side must not have the request, whatever its state: asked again each time.
    var refusal: (Side) -> Reason?
  }

  /// The caller wants no more.
  enum Stop: Sendable {
    /// What there is is the answer.
    case inGoodOrder
    /// The caller's task was cancelled.
    case byTask
  }

  private enum Phase {
    case starting(Side)
    case running(Side)
    case ended(HybridError?)
  }

  let plan: RoutingPlan
  private let policy: RoutingPolicy
  private let begun: Moment
  private let deadline: Moment?
  /// Whether output reaches the caller before the end. Where it does not, no side is committed.
  private let handsOut: Bool

  private var phase: Phase
  private var pending: [AnswerEvent]
  /// Output that waits for the end.
  private var withheld: [AnswerEvent] = []
  private let choices: Int
  private var output: CollectedOutput
  private var firstOutput: Moment?
  private var reason: Reason?
  private var started: Set<Side> = []
  private var attempts: [Attempt] = []
  private var toldAttempts = 0
  /// Of the side that started last.
  private var startedAt = Moment.origin
  private var attemptsAtStart = 0

  init(
    plan: RoutingPlan, policy: RoutingPolicy, choices: Int, begun: Moment, deadline: Moment?,
    handsOut: Bool
  ) {
    self.plan = plan
    self.policy = policy
    self.choices = choices
    output = CollectedOutput(choices: choices)
    self.begun = begun
    self.deadline = deadline
    self.handsOut = handsOut
    reason = plan.reason
    pending = [.plan(plan)]
    phase = plan.ranOn.map(Phase.starting) ?? .ended(plan.noSideError)
  }

  /// True while the other side may take over from `side`.
  func mayFallBack(from side: Side) -> Bool {
    plan.fallback == side.other && !started.contains(side.other)
  }

  // MARK: What to do

  mutating func next(_ now: Circumstances) -> Step {
    if !pending.isEmpty { return .emit(pending.removeFirst()) }
    switch phase {
    case .starting(let side):
      guard mayStart(side, now) else { return next(now) }
      started.insert(side)
      startedAt = now.now
      attemptsAtStart = attempts.count
      return .start(side)
    case .running(let side):
      // A side may have more in store than its reader has taken in time.
      if hasPassed(deadline.map { $0 + HybridChat.deadlineGrace }, now) {
        failed(.deadlineExceeded("in the middle of the answer", side: side), now)
        return next(now)
      }
      return .pull(side)
    case .ended(let error):
      phase = .ended(nil)
      return error.map(Step.fail) ?? .end
    }
  }

  /// Asked at the last moment before a side starts, since what the plan found may have changed.
  ///
  /// - Returns: false where it may not, and then the phase is another.
  private mutating func mayStart(_ side: Side, _ now: Circumstances) -> Bool {
    switch now.stop {
    case .inGoodOrder: finish(on: side, cancelled, now)
    case .byTask: end(throwing: .cancelledByTask)
    case nil:
      if hasPassed(deadline, now) {
        end(throwing: .deadlineExceeded("before the \(side.rawValue) side could start"))
      } else if let refusal = now.refusal(side) {
        refused(side, refusal, now)
      } else {
        return true
      }
    }
    return false
  }

  // MARK: What happened

  /// A try ended, as its side reports it. Told before what came of it.
  mutating func attempted(_ attempt: Attempt) {
    attempts.append(attempt)
  }

  mutating func accepted() {
    guard case .starting(let side) = phase else { return }
    phase = .running(side)
    tellEarlierAttempts(of: side)
  }

  mutating func received(_ event: ExecutorEvent?, _ now: Circumstances) {
    guard case .running(let side) = phase else { return }
    tellEarlierAttempts(of: side)
    if let (choice, piece) = event?.output {
      guard output.append(piece, of: choice) else {
        return failed(.wrongChoices("gave a choice \(choice)", of: choices, on: side), now)
      }
      return handOut(AnswerEvent(piece, of: choice), now)
    }
    if case .finished(let completion) = event {
      finish(on: side, completion, now)
    } else {
      let message = "the \(side.rawValue) side ended its answer without saying how"
      failed(HybridError(.truncated, message, side: side), now)
    }
  }

  mutating func failed(_ error: HybridError, _ now: Circumstances) {
    guard let side = currentSide else { return }
    if error.code == .cancelled, now.stop == .inGoodOrder {
      return finish(on: side, cancelled, now)
    }
    // A side turned off between two tries has not failed.
    if error.isRefusal, !isCommitted, let refusal = now.refusal(side) {
      return refused(side, refusal, now)
    }
    if policy.failures.row(for: error.code).kind != .notTried {
      completeAttempts(side, failure: error.code, status: error.gateway?.status, now)
    }
    if let other = successor(of: side, after: error, now) {
      return takeOver(from: side, to: other, Fallback.reason(for: error, on: side))
    }
    end(throwing: error, on: side)
  }

  private var currentSide: Side? {
    switch phase {
    case .starting(let side), .running(let side): side
    case .ended: nil
    }
  }

  private var isCommitted: Bool { handsOut && !output.isEmpty }

  private func hasPassed(_ deadline: Moment?, _ now: Circumstances) -> Bool {
    deadline.map { $0 <= now.now } ?? false
  }

  // MARK: Who takes over

  private func successor(of side: Side, after error: HybridError, _ now: Circumstances) -> Side? {
    guard !isCommitted, now.stop == nil, !hasPassed(deadline, now), mayFallBack(from: side),
      now.refusal(side.other) == nil, Fallback.isAllowed(after: error, by: policy)
    else { return nil }
    return side.other
  }

  /// `side` must not have the request, though the plan chose it: the other one has it, as a new plan
  /// would say, or nobody.
  private mutating func refused(_ side: Side, _ reason: Reason, _ now: Circumstances) {
    let other = side.other
    if !plan.isExcluded(other), !started.contains(other), now.refusal(other) == nil {
      takeOver(from: side, to: other, reason)
    } else {
      end(throwing: .refused(side, reason, plan.effectivePreference))
    }
  }

  private mutating func takeOver(from side: Side, to other: Side, _ reason: Reason) {
    tellAttempts()
    pending.append(.fallback(from: side, to: other, reason: reason))
    self.reason = reason
    output = CollectedOutput(choices: choices)
    withheld = []
    firstOutput = nil
    phase = .starting(other)
  }

  // MARK: How it ends

  private var cancelled: Completion {
    Completion(
      finishReason: .cancelled,
      otherFinishReasons: Array(repeating: .cancelled, count: choices - 1))
  }

  private mutating func finish(on side: Side, _ completion: Completion, _ now: Circumstances) {
    let reasons = [completion.finishReason] + completion.otherFinishReasons
    guard let choices = output.choices(ended: reasons), let first = choices.first else {
      return failed(.wrongChoices("ended \(reasons.count)", of: choices, on: side), now)
    }
    completeAttempts(side, failure: completion.isCancelled ? .cancelled : nil, now)
    pending += withheld
    withheld = []
    tellAttempts()
    var completion = completion
    completion.timings.firstToken = firstOutput.map { $0 - begun }
    completion.timings.total = now.now - begun
    completion.usage = completion.usage ?? output.estimatedUsage(of: plan)
    pending.append(
      .done(
        Answer(
          text: first.text, reasoning: first.reasoning, toolCalls: first.toolCalls,
          logProbs: first.logProbs, otherChoices: Array(choices.dropFirst()), ranOn: side,
          reason: reason, completion: completion, attempts: attempts, plan: plan)))
    phase = .ended(nil)
  }

  /// - Parameter side: the one that failed; nil where none was asked.
  private mutating func end(throwing error: HybridError, on side: Side? = nil) {
    tellAttempts()
    var error = error
    if let side, isCommitted, error.code != .cancelled { error = error.interrupting(side) }
    error.side = error.side ?? side
    error.committed = isCommitted
    error.partialText = output.text.isEmpty ? error.partialText : output.text
    error.attempts = attempts
    phase = .ended(error)
  }

  // MARK: Output and attempts

  private mutating func handOut(_ event: AnswerEvent, _ now: Circumstances) {
    if firstOutput == nil { firstOutput = now.now }
    if handsOut { pending.append(event) } else { withheld.append(event) }
  }

  /// A side that makes one try and no more need not report it.
  private mutating func completeAttempts(
    _ side: Side, failure: ErrorCode?, status: Int? = nil, _ now: Circumstances
  ) {
    guard started.contains(side), attempts.count == attemptsAtStart else { return }
    attempts.append(
      Attempt(side: side, failure: failure, status: status, duration: now.now - startedAt))
  }

  /// While output may still come: the local side works ahead of its reader, and its one attempt may
  /// have ended before all of its output was read. It is told at the end.
  private mutating func tellEarlierAttempts(of side: Side) {
    if side == .remote { tellAttempts() }
  }

  private mutating func tellAttempts() {
    pending += attempts[toldAttempts...].map(AnswerEvent.attempt)
    toldAttempts = attempts.count
  }
}

extension HybridError {
  /// An executor's fault: whoever asked for choices must not get others, or fewer, unawares.
  fileprivate static func wrongChoices(
    _ what: String, of asked: Int, on side: Side
  ) -> HybridError {
    HybridError(
      .internal, "the \(side.rawValue) side \(what) of the \(asked) choices asked for",
      nextStep: "Look at the side's executor", details: ["choices": .int(asked)], side: side)
  }

  /// True where the side was not asked, or not asked again, because it must not have the request.
  fileprivate var isRefusal: Bool {
    [.localRequired, .remoteUnavailable, .noSide].contains(code)
  }
}

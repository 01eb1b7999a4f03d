public import HybridCore
public import HybridRouting
private import Synchronization

/// Answers chat requests on the local model or through the gateway, as the policy decides for each.
///
///     Request ──▶ Facts ──▶ Plan ──▶ Executor ──▶ Answer
///
/// Cheap to make and to copy; the executors own the model and the connections.
public struct HybridChat: Sendable {
  public let policy: RoutingPolicy

  let local: (any LocalSide)?
  let gateway: (any RemoteSide)?
  let time: any TimeSource
  let switches = KillSwitches()

  /// A side that heeds the deadline itself can say more about it, and so may speak first.
  static let deadlineGrace = Duration.milliseconds(100)

  /// - Parameters:
  ///   - local: the local side; nil: every plan says `noLocalModel`.
  ///   - gateway: the remote side; nil: every plan says `noGateway`.
  public init(
    local: (any LocalSide)? = nil, gateway: (any RemoteSide)? = nil,
    policy: RoutingPolicy = RoutingPolicy(), time: any TimeSource = SystemTimeSource()
  ) {
    self.local = local
    self.gateway = gateway
    self.policy = policy
    self.time = time
  }

  /// The decision for `request`, without running anything: no socket, no name looked up, nothing
  /// written, no weights loaded. Never fails: a plan that leaves no side says so.
  public func plan(_ request: ChatRequest) async -> RoutingPlan {
    await plan(request, begun: time.now())
  }

  /// Decides, and answers as the returned stream is iterated.
  ///
  /// - Returns: events; the plan is the first. Dropping the stream cancels the request.
  /// - Throws: `invalidRequest` for a request that no side could answer; `deadlineExceeded` or
  ///   `cancelled` where that came before a side had been chosen. Everything later comes out of the stream: `localRequired`, `remoteUnavailable` or `noSide` where the plan left none, a side's
  ///   own error where nothing may follow it, `interrupted` once output had been handed out.
  public func stream(_ request: ChatRequest) async throws(HybridError) -> AnswerStream {
    try await stream(request, handsOut: true)
  }

  /// The same for a caller that may show nothing before the end.
  ///
  /// - Parameter handsOut: false: output is only collected, so a side that fails at any time can still
  ///   be replaced, and what came before a fallback is void.
  package func stream(
    _ request: ChatRequest, handsOut: Bool
  ) async throws(HybridError) -> AnswerStream {
    let ready = try await prepare(request, handsOut: handsOut)
    return AnswerStream(plan: ready.plan, control: ready.control) { AnswerRun(ready) }
  }

  /// Decides, answers, and returns the whole answer.
  ///
  /// Nothing is handed out before the end, so a side that fails at any time can still be replaced.
  ///
  /// - Throws: as ``stream(_:)`` and its stream do; `cancelled` when the task is cancelled.
  public func complete(_ request: ChatRequest) async throws(HybridError) -> Answer {
    var run = AnswerRun(try await prepare(request, handsOut: false))
    while let event = try await run.next() {
      if case .done(let answer) = event { return answer }
    }
    throw HybridError(.internal, "the run ended without an answer")
  }

  /// Whether a side has not been turned off.
  public func isEnabled(_ side: Side) -> Bool {
    !switches.sidesOff.contains(side)
  }

  /// Turns a side off or on, for every request from now on, those between two attempts included.
  public func setEnabled(_ side: Side, _ isEnabled: Bool) {
    switches.set(side, isEnabled)
  }

  private func prepare(
    _ request: ChatRequest, handsOut: Bool
  ) async throws(HybridError) -> AnswerRun.Ready {
    let begun = time.now()
    try request.validate()
    let plan = try await timelyPlan(request, begun: begun)
    // What a cancelled task could not count is no reason against a side.
    if Task.isCancelled { throw .cancelledByTask }
    return AnswerRun.Ready(
      chat: self, request: request, plan: plan, begun: begun, handsOut: handsOut)
  }

  private func plan(_ request: ChatRequest, begun: Moment) async -> RoutingPlan {
    await policy.plan(for: facts(for: request, begun: begun))
  }

  /// The plan, in the time that the request has: a template may be slow, a vocabulary far away.
  private func timelyPlan(
    _ request: ChatRequest, begun: Moment
  ) async throws(HybridError) -> RoutingPlan {
    guard let deadline = request.deadline else { return await plan(request, begun: begun) }
    return try await withTimeBound(
      begun + deadline, time: time, timeout: .deadlineExceeded("before a side had been chosen")
    ) { () async throws(HybridError) in await plan(request, begun: begun) }
  }

  /// Starts `request` on one side.
  ///
  /// Returns or throws a tenth of a second after the deadline at the latest, whatever the side does:
  /// its model may be loading, its template may be slow.
  func start(
    _ request: ChatRequest, on side: Side, in context: ExecutionContext
  ) async throws(HybridError) -> ExecutorStream {
    guard let deadline = context.deadline else {
      return try await open(request, on: side, in: context)
    }
    let timeout = HybridError.deadlineExceeded(
      "before the \(side.rawValue) side had accepted the request", side: side)
    return try await withTimeBound(deadline + Self.deadlineGrace, time: time, timeout: timeout) {
      () async throws(HybridError) in
      try await open(request, on: side, in: context)
    }
  }

  private func open(
    _ request: ChatRequest, on side: Side, in context: ExecutionContext
  ) async throws(HybridError) -> ExecutorStream {
    switch side {
    case .local:
      guard let local else { break }
      return try await local.start(request, in: context)
    case .remote:
      guard let gateway else { break }
      return try await gateway.start(request, in: context)
    }
    throw HybridError(.internal, "the plan chose a side that is not configured", side: side)
  }
}

/// The sides turned off at run time, shared by the copies of one chat.
final class KillSwitches: Sendable {
  private let off = Mutex<Set<Side>>([])

  func set(_ side: Side, _ isEnabled: Bool) {
    off.withLock { off in
      if isEnabled { off.remove(side) } else { off.insert(side) }
    }
  }

  var sidesOff: Set<Side> { off.withLock { $0 } }
}

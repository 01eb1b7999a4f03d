internal import HybridCore

/// The one place where a call to the gateway is tried again.
///
///     open ──▶ permit ──▶ health ──▶ try ──▶ accepted
///      ▲                              │
///      └──── wait ◀── RetryPolicy ◀── failure ──▶ throw
///
/// A try that was accepted and fails before any of its answer was handed out comes back through
/// ``recover(from:afterOutput:)`` too.
struct RetryLoop: Sendable {
  struct Settings: Sendable {
    var target: GatewayTarget
    var health: GatewayHealth
    var table: FailureTable
    var policy: RetryPolicy
    var time: any TimeSource
    var random: @Sendable () -> UInt64

    /// From 0 up to, and without, 1.
    func fraction() -> Double { Double(random() >> 11) * 0x1p-53 }
  }

  let settings: Settings
  let context: ExecutionContext
  let ledger: TryLedger

  /// Nothing goes on past it: the request's deadline or the limit on the whole call.
  let end: Moment

  init(settings: Settings, context: ExecutionContext, total: Duration) {
    self.settings = settings
    self.context = context
    ledger = TryLedger(settings: settings, context: context)
    let whole = settings.time.now() + total
    end = context.deadline.map { min($0, whole) } ?? whole
  }

  var timeLeft: Duration { end - settings.time.now() }

  /// The number of the try that is under way, or is to come.
  var nextNumber: Int { ledger.attempts.count + 1 }

  /// Tries until the gateway accepts the call.
  ///
  /// - Throws: why it is not tried, or not tried again, with every try made so far.
  func open<Accepted: Sendable>(
    after previous: HybridError? = nil,
    _ attempt: (_ number: Int) async throws(GatewayFailure) -> Accepted
  ) async throws(HybridError) -> Accepted {
    var previous = previous
    while true {
      let number = nextNumber
      try admit(number, after: previous)
      do throws(GatewayFailure) {
        return try await attempt(number)
      } catch {
        try await recover(from: error, afterOutput: false)
        previous = error.error
      }
    }
  }

  /// Books a failed try, and returns once the next one is due.
  ///
  /// - Throws: the failure, where there is to be no other try; `cancelled` where the task is, whatever
  ///   the try made of it.
  func recover(from failure: GatewayFailure, afterOutput: Bool) async throws(HybridError) {
    let error = failure.error
    ledger.end(
      endedAtDeadline(error) ? .deadlineExceeded : error.code, status: error.gateway?.status,
      hint: error.gateway?.retryAfter)
    if Task.isCancelled { throw final(.cancelledByTask) }
    let decision = settings.policy.decision(
      after: RetryPolicy.Failure(
        row: settings.table.row(for: error.code, afterOutput: afterOutput),
        tries: ledger.attempts.count, hint: error.gateway?.retryAfter,
        shouldRetry: failure.shouldRetry, timeLeft: timeLeft, patience: context.patience,
        afterOutput: afterOutput),
      budget: settings.health.budget(of: settings.target), random: settings.fraction())
    // A refused option is left out at once, and a refused key replaced: that is another request, not
    // a repetition.
    if failure.mayLeaveOut || failure.hasNewKey, !afterOutput { return }
    guard case .retry(let wait) = decision else { throw final(error) }
    do {
      try await settings.time.sleep(until: settings.time.now() + wait)
    } catch {
      throw final(.cancelledByTask)
    }
  }

  private func admit(_ number: Int, after previous: HybridError?) throws(HybridError) {
    if Task.isCancelled { throw final(.cancelledByTask) }
    if timeLeft <= .zero { throw final(previous ?? timeout()) }
    if let refusal = context.permit?(number) { throw final(refusal) }
    let own = ledger.assumedCoolDown
    switch settings.health.admit(settings.target, at: settings.time.now(), after: own) {
    case .allowed(let permit): ledger.begin(permit)
    case .refused(let availability): throw final(previous ?? notTried(availability))
    }
  }

  /// The error as the caller gets it.
  func final(_ error: HybridError) -> HybridError {
    var error = error
    if endedAtDeadline(error) {
      error.code = .deadlineExceeded
      error.message = "the gateway had not finished at the request's deadline"
      error.nextStep = "Allow more time, or ask for fewer tokens"
    }
    error.side = .remote
    error.attempts = ledger.attempts
    return error
  }

  /// The total that a try was given was what the caller's deadline had left: no fault of the gateway's
  /// by itself. What its breaker makes of it depends on how long it was silent.
  private func endedAtDeadline(_ error: HybridError) -> Bool {
    guard error.code == .timeoutTotal, let deadline = context.deadline else { return false }
    return deadline <= end
  }

  func timeout() -> HybridError {
    HybridError(
      .timeoutTotal, "no time was left for a call to \(settings.target.origin)",
      nextStep: "Allow more time", details: ["origin": .string(settings.target.origin)],
      side: .remote)
  }

  private func notTried(_ availability: GatewayStatus.Availability) -> HybridError {
    let origin = settings.target.origin
    var error = HybridError(
      .breakerOpen, "", details: ["origin": .string(origin)], side: .remote)
    switch availability {
    case .coolingDown(let code, let until):
      let wait = until - settings.time.now()
      error.message = "\(origin) asked to be left alone and was not called (\(code.rawValue))"
      error.nextStep = "Try again in \(Self.seconds(wait)) s"
      error.details["code"] = .string(code.rawValue)
      error.details["wait"] = .seconds(wait)
    case .breakerOpen(let until, let failures):
      let wait = until - settings.time.now()
      error.message = "\(origin) failed \(failures) times in a row and was not called"
      error.nextStep = "Try again in \(Self.seconds(wait)) s"
      error.details["failures"] = .int(failures)
      error.details["wait"] = .seconds(wait)
    case .offline, .available:
      error.message = "\(origin) is offline and was not called"
      error.nextStep = "Say when the gateway can be reached again"
    }
    return error
  }

  private static func seconds(_ wait: Duration) -> Int {
    max(1, Int(wait.inSeconds.rounded(.up)))
  }
}

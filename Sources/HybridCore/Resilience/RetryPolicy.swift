/// Answers one question: wait this long and try again, or stop?
///
///     switch policy.decision(after: failure, random: .random(in: 0..<1)) {
///     case .retry(let wait): …
///     case .stop(let reason): …
///     }
///
/// A value: it keeps no count and knows no clock. The wait is
/// - the gateway's own (`Retry-After`), if it named one above zero: never shorter, and longer by at
///   most ``hintSpread``, so that those it turned away together do not come back together;
/// - else drawn from the row's ``Backoff``.
///
/// It must fit the time left, and the patience where the other side could take the request. A hint
/// must also fit ``longestHint``.
public struct RetryPolicy: Sendable, Hashable {
  /// Tries of one request, the first included. At least 1.
  public var maximumTries: Int

  public var transient: Backoff
  public var throttled: Backoff

  /// A gateway that asks for more than this is not waited for.
  public var longestHint: Duration

  public var hintSpread: Duration

  public init(
    maximumTries: Int = 3, transient: Backoff = .transient, throttled: Backoff = .throttled,
    longestHint: Duration = .seconds(120), hintSpread: Duration = .milliseconds(100)
  ) {
    self.maximumTries = maximumTries
    self.transient = transient
    self.throttled = throttled
    self.longestHint = longestHint
    self.hintSpread = hintSpread
  }

  public static let standard = RetryPolicy()

  /// A try that failed, and what the request may still spend.
  public struct Failure: Sendable, Hashable {
    /// The row of the ``FailureTable``; its ``FailureRow/afterOutput`` form once output was handed
    /// out.
    public var row: FailureRow

    /// Tries made so far, this one included: from 1.
    public var tries: Int

    /// How long the gateway asked to be left alone; see ``RetryHint``.
    public var hint: Duration?

    /// The gateway's `x-should-retry`. false forbids; true allows what the row would not, except
    /// after output and where money or a quota has run out.
    public var shouldRetry: Bool?

    /// Until the deadline; nil without one.
    public var timeLeft: Duration?

    /// The longest wait while the other side could take the request; nil when it cannot.
    public var patience: Duration?

    /// False where the body cannot be sent a second time.
    public var isReplayable: Bool

    /// True once output was handed to the caller.
    public var afterOutput: Bool

    public init(
      row: FailureRow, tries: Int, hint: Duration? = nil, shouldRetry: Bool? = nil,
      timeLeft: Duration? = nil, patience: Duration? = nil, isReplayable: Bool = true,
      afterOutput: Bool = false
    ) {
      self.row = row
      self.tries = tries
      self.hint = hint
      self.shouldRetry = shouldRetry
      self.timeLeft = timeLeft
      self.patience = patience
      self.isReplayable = isReplayable
      self.afterOutput = afterOutput
    }
  }

  /// - Parameters:
  ///   - budget: the target's, already told of this failure.
  ///   - random: uniform, from 0 to 1.
  public func decision(
    after failure: Failure, budget: RetryBudget? = nil, random: Double
  ) -> RetryDecision {
    if let reason = forbidden(failure) { return .stop(reason) }
    if failure.tries >= max(1, maximumTries) { return .stop(.triesSpent) }
    if let budget, !budget.allowsRetry { return .stop(.budgetSpent) }

    if let left = failure.timeLeft, left <= .zero { return .stop(.noTimeLeft) }

    if let hint = failure.hint, hint > .zero {
      if let reason = misfit(hint, failure) { return .stop(reason) }
      guard hint <= longestHint else { return .stop(.waitTooLong(hint)) }
      let spread = hint + hintSpread * random.unitInterval
      return .retry(after: misfit(spread, failure) == nil ? spread : hint)
    }
    let family = failure.row.delays == .throttled ? throttled : transient
    var wait = family.delay(beforeRetry: failure.tries - 1, random: random)
    if let patience = failure.patience, isRepeatedAnyway(failure) { wait = min(wait, patience) }
    return misfit(wait, failure).map { .stop($0) } ?? .retry(after: wait)
  }

  private func forbidden(_ failure: Failure) -> RetryStop? {
    if failure.afterOutput { return .outputHandedOut }
    if !failure.isReplayable { return .notReplayable }
    if failure.shouldRetry == false { return .gatewayForbids }
    if failure.row.coolDown == .long { return .neverRepeated }
    if failure.shouldRetry == true { return nil }
    return switch failure.row.retry {
    case .never: .neverRepeated
    case .once where failure.tries > 1: .triesSpent
    case .onlyIfAlone where failure.patience != nil: .otherSideCanTakeIt
    case .once, .onlyIfAlone, .always, .whilePatient, .ifHintFits: nil
    }
  }

  /// These rules say yes without a condition: a short patience shortens the drawn wait instead.
  private func isRepeatedAnyway(_ failure: Failure) -> Bool {
    failure.row.retry == .once || failure.row.retry == .always
  }

  private func misfit(_ wait: Duration, _ failure: Failure) -> RetryStop? {
    // A wait that ends at the deadline leaves nothing to try in.
    if let left = failure.timeLeft, wait >= left { return .waitOverTimeLeft(wait) }
    if let patience = failure.patience, wait > patience { return .waitOverPatience(wait) }
    return nil
  }
}

/// What to do after a failed try.
public enum RetryDecision: Sendable, Hashable {
  case retry(after: Duration)
  case stop(RetryStop)
}

/// Why a failed try is not repeated.
public enum RetryStop: Sendable, Hashable {
  /// Its row says so.
  case neverRepeated
  /// The gateway said so.
  case gatewayForbids
  case triesSpent
  /// The target fails too often for retries to help; see ``RetryBudget``.
  case budgetSpent
  /// The other side can take the request now.
  case otherSideCanTakeIt
  case noTimeLeft
  case waitOverTimeLeft(Duration)
  case waitOverPatience(Duration)
  /// The gateway asked for more than ``RetryPolicy/longestHint``.
  case waitTooLong(Duration)
  /// Some of the answer has been handed out.
  case outputHandedOut
  /// The request's body cannot be sent again.
  case notReplayable
}

import HybridCore
import Testing

@Suite struct RetryPolicyTests {
  typealias Case = (
    code: ErrorCode, tries: Int, hint: Duration?, should: Bool?, left: Duration?,
    patience: Duration?, decision: RetryDecision
  )

  /// All with the random number 0.5.
  static let decisions: [Case] = [
    // The drawn waits: half of 250 and 500 ms; three quarters of 1 and 2 s.
    (.server, 1, nil, nil, nil, nil, .retry(after: .milliseconds(125))),
    (.server, 2, nil, nil, nil, nil, .retry(after: .milliseconds(250))),
    (.rateLimited, 1, nil, nil, nil, nil, .retry(after: .milliseconds(750))),
    (.rateLimited, 2, nil, nil, nil, nil, .retry(after: .milliseconds(1500))),
    (.server, 3, nil, nil, nil, nil, .stop(.triesSpent)),
    (.rateLimited, 3, .seconds(1), nil, nil, nil, .stop(.triesSpent)),
    // The rules.
    (.connectionRefused, 1, nil, nil, nil, .seconds(2), .stop(.otherSideCanTakeIt)),
    (.connectionRefused, 1, nil, nil, nil, nil, .retry(after: .milliseconds(125))),
    (.connectionReset, 1, nil, nil, nil, .seconds(2), .retry(after: .milliseconds(125))),
    (.connectionReset, 2, nil, nil, nil, .seconds(2), .stop(.triesSpent)),
    (.truncated, 2, nil, nil, nil, .seconds(2), .retry(after: .milliseconds(250))),
    (.timeoutFirstByte, 1, nil, nil, nil, nil, .stop(.neverRepeated)),
    (.tls, 1, nil, nil, nil, nil, .stop(.neverRepeated)),
    (.invalidRequest, 1, nil, nil, nil, nil, .stop(.neverRepeated)),
    (.cancelled, 1, nil, nil, nil, nil, .stop(.neverRepeated)),
    (.quotaExhausted, 1, .seconds(1), nil, nil, nil, .stop(.neverRepeated)),
    // A hint: never early, up to 100 ms late.
    (.rateLimited, 1, .seconds(1), nil, nil, .seconds(2), .retry(after: .milliseconds(1050))),
    (.server, 1, .seconds(2), nil, nil, .seconds(2), .retry(after: .seconds(2))),
    (.rateLimited, 1, .seconds(120), nil, nil, nil, .retry(after: .milliseconds(120_050))),
    (.rateLimited, 1, .seconds(121), nil, nil, nil, .stop(.waitTooLong(.seconds(121)))),
    (
      .rateLimited, 1, .seconds(3), nil, nil, .seconds(2), .stop(.waitOverPatience(.seconds(3)))
    ),
    (
      .rateLimited, 1, .seconds(3), nil, .seconds(3), nil, .stop(.waitOverTimeLeft(.seconds(3)))
    ),
    (.rateLimited, 1, .seconds(3), nil, .seconds(4), nil, .retry(after: .milliseconds(3050))),
    // A hint of zero names no moment.
    (.rateLimited, 1, .zero, nil, nil, nil, .retry(after: .milliseconds(750))),
    // Patience and time bound the drawn waits, too; two rules only shorten theirs.
    (
      .server, 1, nil, nil, nil, .milliseconds(100),
      .stop(.waitOverPatience(.milliseconds(125)))
    ),
    (
      .rateLimited, 1, nil, nil, nil, .milliseconds(700),
      .stop(.waitOverPatience(.milliseconds(750)))
    ),
    (.truncated, 1, nil, nil, nil, .milliseconds(100), .retry(after: .milliseconds(100))),
    (.connectionReset, 1, nil, nil, nil, .zero, .retry(after: .zero)),
    (
      .truncated, 1, nil, nil, .milliseconds(125), nil,
      .stop(.waitOverTimeLeft(.milliseconds(125)))
    ),
    (.server, 1, nil, nil, .zero, nil, .stop(.noTimeLeft)),
    (.server, 1, nil, nil, .seconds(-1), nil, .stop(.noTimeLeft)),
    // The gateway's word.
    (.server, 1, nil, false, nil, nil, .stop(.gatewayForbids)),
    (.invalidRequest, 1, nil, true, nil, .seconds(2), .retry(after: .milliseconds(125))),
    (.timeoutFirstByte, 3, nil, true, nil, nil, .stop(.triesSpent)),
    (.quotaExhausted, 1, nil, true, nil, nil, .stop(.neverRepeated)),
    (.paymentRequired, 1, nil, true, nil, nil, .stop(.neverRepeated)),
  ]

  @Test(arguments: decisions)
  func `wait this long, or stop`(
    code: ErrorCode, tries: Int, hint: Duration?, should: Bool?, left: Duration?,
    patience: Duration?, decision: RetryDecision
  ) {
    let failure = RetryPolicy.Failure(
      row: FailureTable.standard.row(for: code), tries: tries, hint: hint, shouldRetry: should,
      timeLeft: left, patience: patience)
    #expect(RetryPolicy.standard.decision(after: failure, random: 0.5) == decision)
  }

  @Test func `nothing is repeated once output was handed out, or if it cannot be sent again`() {
    let row = FailureTable.standard.row(for: .server)
    var failure = RetryPolicy.Failure(row: row, tries: 1, shouldRetry: true, afterOutput: true)
    #expect(RetryPolicy.standard.decision(after: failure, random: 0) == .stop(.outputHandedOut))
    failure.afterOutput = false
    failure.isReplayable = false
    #expect(RetryPolicy.standard.decision(after: failure, random: 0) == .stop(.notReplayable))
  }

  @Test func `a spent budget stops retries`() {
    var budget = RetryBudget()
    let failure = RetryPolicy.Failure(row: FailureTable.standard.row(for: .server), tries: 1)
    for _ in 0..<4 { budget.tryFailed() }
    #expect(
      RetryPolicy.standard.decision(after: failure, budget: budget, random: 0)
        == .retry(after: .zero))
    budget.tryFailed()
    #expect(
      RetryPolicy.standard.decision(after: failure, budget: budget, random: 0)
        == .stop(.budgetSpent))
  }

  @Test(arguments: 0..<4)
  func `whatever the failure, a wait fits every bound and is never early`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let rows = FailureTable.standard.rows
    for _ in 0..<2000 {
      func maybe(_ seconds: ClosedRange<Double>) -> Duration? {
        random.chance(0.5) ? nil : .seconds(Double.random(in: seconds, using: &random))
      }
      let failure = RetryPolicy.Failure(
        row: rows[Int.random(in: 0..<rows.count, using: &random)],
        tries: Int.random(in: 1...4, using: &random), hint: maybe(0...200),
        shouldRetry: random.chance(0.7) ? nil : random.chance(0.5), timeLeft: maybe(-1...30),
        patience: maybe(0...3), afterOutput: random.chance(0.1))
      guard
        case .retry(let wait) = RetryPolicy.standard.decision(
          after: failure, random: random.unit())
      else { continue }
      #expect(wait >= failure.hint ?? .zero)
      #expect(wait >= .zero && wait <= .seconds(121))
      #expect(wait < failure.timeLeft ?? .seconds(1000))
      #expect(wait <= failure.patience ?? .seconds(1000))
      #expect(failure.tries < 3 && !failure.afterOutput && failure.shouldRetry != false)
      #expect(failure.row.coolDown != .long)
    }
  }

  @Test(arguments: [
    (Backoff.transient, 0, 0.0, 0.25), (.transient, 1, 0, 0.5), (.transient, 2, 0, 1),
    (.transient, 3, 0, 2), (.transient, 5, 0, 8), (.transient, 9, 0, 8),
    (.throttled, 0, 0.5, 1), (.throttled, 1, 1, 2), (.throttled, 2, 2, 4),
    (.throttled, 3, 4, 8), (.throttled, 5, 4, 8), (.throttled, .max, 4, 8),
    (.throttled, -3, 0.5, 1),
  ])
  func `waits double up to their cap`(family: Backoff, retry: Int, low: Double, high: Double) {
    #expect(family.delay(beforeRetry: retry, random: 0) == .seconds(low))
    #expect(family.delay(beforeRetry: retry, random: 1) == .seconds(high))
    #expect(family.delay(beforeRetry: retry, random: .nan) == .seconds(low))
    #expect(family.delay(beforeRetry: retry, random: 7) == .seconds(high))
  }

  @Test(arguments: [(ErrorCode.overloaded, nil), (.overloaded, 1.0), (.rateLimited, 1.0)])
  func `two hundred clients after one refusal do not come back together`(
    code: ErrorCode, hint: Double?
  ) {
    var random = SeededGenerator(seed: 9)
    let waits = (0..<200).compactMap { _ -> Double? in
      let failure = RetryPolicy.Failure(
        row: FailureTable.standard.row(for: code), tries: 1, hint: hint.map { .seconds($0) })
      guard
        case .retry(let wait) = RetryPolicy.standard.decision(
          after: failure, random: random.unit())
      else { return nil }
      return wait.inSeconds
    }
    #expect(waits.count == 200)
    let low = hint ?? 0
    let span = hint == nil ? 0.25 : 0.1
    let slices = Dictionary(grouping: waits) { Int(($0 - low) / span * 10) }
    #expect(slices.keys.allSatisfy { (0...10).contains($0) })
    #expect(slices.values.allSatisfy { $0.count <= 40 })
  }
}

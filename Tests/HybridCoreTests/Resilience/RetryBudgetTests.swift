import HybridCore
import Testing

@Suite struct RetryBudgetTests {
  @Test func `a failure costs one token, a success gives back a tenth`() {
    var budget = RetryBudget()
    #expect(budget.tokens == 10)
    budget.trySucceeded()
    #expect(budget.tokens == 10)
    for _ in 0..<4 { budget.tryFailed() }
    #expect(budget.tokens == 6)
    #expect(budget.allowsRetry)
    budget.tryFailed()
    #expect(budget.tokens == 5)
    #expect(!budget.allowsRetry)
    budget.trySucceeded()
    #expect(budget.tokens == 5.1)
    #expect(budget.allowsRetry)
    for _ in 0..<20 { budget.tryFailed() }
    #expect(budget.tokens == 0)
    for _ in 0..<1000 { budget.trySucceeded() }
    #expect(budget.tokens == 10)
  }

  @Test func `ten thousand tenths are exactly a thousand`() {
    var budget = RetryBudget(capacity: 2000)
    for _ in 0..<2000 { budget.tryFailed() }
    for _ in 0..<10_000 { budget.trySucceeded() }
    #expect(budget.tokens == 1000)
    #expect(!budget.allowsRetry)
  }

  /// The gateway answers nothing but 503 and each request tries as often as it may. With and
  /// without the breaker: the budget must hold alone, as after a breaker's settings were loosened.
  @Test(arguments: [1, 50], [true, false])
  func `a thousand requests to a gateway that is down cost it at most 1,500 tries`(
    together: Int, hasBreaker: Bool
  ) {
    var random = SeededGenerator(seed: 3)
    var settings = CircuitBreaker.Settings()
    if !hasBreaker {
      settings.failuresInARow = .max
      settings.windowCalls = .max
    }
    var health = TargetHealth(breaker: settings)
    let table = FailureTable.standard
    var tries = 0
    var most = 0
    var now = Moment.origin

    // Rounds of requests that run together: each round every request still going makes one try.
    for _ in 0..<1000 / together {
      var going = Array(repeating: 0, count: together)
      while !going.isEmpty {
        let permits = going.map { _ in health.admit(at: now) }
        now = now + .milliseconds(10)
        var next: [Int] = []
        for (made, admission) in zip(going, permits) {
          guard case .allowed(let permit) = admission else { continue }
          tries += 1
          most = max(most, made + 1)
          health.ended(permit, .overloaded, table: table, at: now, random: random.unit())
          let failure = RetryPolicy.Failure(row: table.row(for: .overloaded), tries: made + 1)
          let decision = RetryPolicy.standard.decision(
            after: failure, budget: health.budget, random: random.unit())
          if case .retry = decision { next.append(made + 1) }
        }
        going = next
      }
    }
    #expect(tries <= 1500)
    #expect(most <= 3)
    if hasBreaker { #expect(tries <= 60) } else { #expect(tries >= 1000 && tries <= 1010) }
  }

  @Test(arguments: 0..<4)
  func `at a steady failure rate the tries stay near the requests`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var budget = RetryBudget()
    var tries = 0
    for _ in 0..<5000 {
      for made in 1...3 {
        tries += 1
        guard random.chance(0.3) else {
          budget.trySucceeded()
          break
        }
        budget.tryFailed()
        let failure = RetryPolicy.Failure(row: FailureTable.standard[.server], tries: made)
        let decision = RetryPolicy.standard.decision(
          after: failure, budget: budget, random: random.unit())
        if case .stop = decision { break }
      }
    }
    #expect(tries < 5500)
  }
}

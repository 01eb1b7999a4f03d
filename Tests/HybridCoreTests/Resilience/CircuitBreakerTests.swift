import HybridCore
import Testing

@Suite struct CircuitBreakerTests {
  static func at(_ seconds: Double) -> Moment { Moment(sinceOrigin: .seconds(seconds)) }

  /// Makes one call at once, with the random number 0.
  static func call(
    _ breaker: inout CircuitBreaker, _ outcome: CallOutcome, at seconds: Double
  ) -> CircuitBreaker.Admission {
    let admission = breaker.admit(at: at(seconds))
    if let permit = admission.permit {
      breaker.ended(permit, outcome, at: at(seconds), random: 0)
    }
    return admission
  }

  /// S succeeded, F failed, A answered, X abandoned; each a second after the other.
  @Test(arguments: [
    ("FFFFF", true), ("FFFF", false), ("FFFFSF", false), ("SFFFFF", true), ("FFXFAFF", true),
    ("FAXAXAXAXAXAX", false), ("AAAAAAAAAAAAAAAAAAAAAAAAA", false),
    ("SFSFSFSFSFSFSFSFSFSF", true), ("SFSFSFSFSFSFSFSFSFS", false),
    ("FSFSFSFSFSFSFSFSFSFS", true), ("SSFSFSFSFSFSFSFSFSFS", false),
  ])
  func `it opens on five failures in a row, or on half of twenty calls`(
    calls: String, opens: Bool
  ) {
    var breaker = CircuitBreaker()
    for (second, call) in calls.enumerated() {
      #expect(breaker.state == .closed)
      let outcome: CallOutcome =
        switch call {
        case "S": .succeeded
        case "F": .failed
        case "A": .answered
        default: .abandoned
        }
      _ = Self.call(&breaker, outcome, at: Double(second))
    }
    #expect((breaker.state != .closed) == opens)
  }

  @Test func `calls older than thirty seconds no longer count`() {
    var breaker = CircuitBreaker()
    for second in 0..<12 {
      _ = Self.call(&breaker, second.isMultiple(of: 2) ? .failed : .succeeded, at: Double(second))
    }
    // Twelve calls in, six failed. With the next eight there are twenty, yet the first are gone.
    for second in 0..<8 {
      _ = Self.call(
        &breaker, second.isMultiple(of: 2) ? .succeeded : .failed, at: 45 + Double(second) / 10)
    }
    #expect(breaker.state == .closed)
  }

  @Test func `it stays open for 5 s, doubled to 60 s, and closes when the probe is answered`() {
    var breaker = CircuitBreaker()
    var now = 0.0
    for _ in 0..<5 { _ = Self.call(&breaker, .failed, at: now) }
    for length in [5.0, 10, 20, 40, 60, 60] {
      #expect(breaker.state == .open(until: Self.at(now + length)))
      let refused = CircuitBreaker.Admission.refused(until: Self.at(now + length))
      #expect(breaker.admit(at: Self.at(now)) == refused)
      #expect(breaker.admit(at: Self.at(now + length - 0.001)) == refused)
      now += length
      let admission = Self.call(&breaker, .failed, at: now)
      #expect(admission.permit?.isProbe == true)
    }
    now += 60
    #expect(Self.call(&breaker, .succeeded, at: now).permit?.isProbe == true)
    #expect(breaker.state == .closed)
    #expect(breaker.openings == 0)
    // It begins anew: five failures, five seconds.
    for _ in 0..<4 { _ = Self.call(&breaker, .failed, at: now) }
    #expect(breaker.state == .closed)
    _ = Self.call(&breaker, .failed, at: now)
    #expect(breaker.state == .open(until: Self.at(now + 5)))
  }

  @Test(arguments: [(0.0, 5.0), (0.5, 5.25), (1, 5.5), (.nan, 5)])
  func `the next probe's moment is spread by a tenth`(random: Double, length: Double) {
    var breaker = CircuitBreaker()
    for _ in 0..<5 {
      guard let permit = breaker.admit(at: .origin).permit else { return }
      breaker.ended(permit, .failed, at: .origin, random: random)
    }
    #expect(breaker.state == .open(until: Self.at(length)))
  }

  static func probing() -> (breaker: CircuitBreaker, permit: CircuitBreaker.Permit?) {
    var breaker = CircuitBreaker()
    for _ in 0..<5 { _ = call(&breaker, .failed, at: 0) }
    let permit = breaker.admit(at: at(5)).permit
    return (breaker, permit)
  }

  @Test func `a cancelled probe gives the probe back at once`() throws {
    var (breaker, probe) = Self.probing()
    #expect(breaker.admit(at: Self.at(5)).permit == nil)
    breaker.ended(try #require(probe), .abandoned, at: Self.at(6), random: 0)
    let next = breaker.admit(at: Self.at(6))
    #expect(next.permit?.isProbe == true)
    #expect(breaker.admit(at: Self.at(6)).permit == nil)
    // It counts for nothing: the next failure opens for the second time, not the third.
    breaker.ended(try #require(next.permit), .failed, at: Self.at(6), random: 0)
    #expect(breaker.state == .open(until: Self.at(16)))
  }

  @Test func `an answer that is no success shows that the gateway is back`() throws {
    var (breaker, probe) = Self.probing()
    breaker.ended(try #require(probe), .answered, at: Self.at(5), random: 0)
    #expect(breaker.state == .closed)
  }

  @Test(arguments: [CallOutcome.succeeded, .failed, .answered, .abandoned])
  func `calls from before it opened say nothing when they end`(outcome: CallOutcome) throws {
    var breaker = CircuitBreaker()
    let early = try #require(breaker.admit(at: Self.at(0)).permit)
    for _ in 0..<5 { _ = Self.call(&breaker, .failed, at: 0) }
    let opened = breaker
    breaker.ended(early, outcome, at: Self.at(0), random: 0)
    #expect(breaker == opened)
    // Neither while a probe is under way, nor after it has closed.
    let probe = try #require(breaker.admit(at: Self.at(5)).permit)
    let probing = breaker
    breaker.ended(early, outcome, at: Self.at(5), random: 0)
    #expect(breaker == probing)
    breaker.ended(probe, .succeeded, at: Self.at(5), random: 0)
    let closed = breaker
    breaker.ended(early, outcome, at: Self.at(5), random: 0)
    breaker.ended(probe, outcome, at: Self.at(5), random: 0)
    #expect(breaker == closed)
  }

  @Test func `a probe has done its work when the answer begins, and its end still counts`() throws {
    var (breaker, probe) = Self.probing()
    let rest = breaker.answering(try #require(probe), at: Self.at(5))
    #expect(breaker.state == .closed)
    #expect(!rest.isProbe)
    #expect(breaker.admit(at: Self.at(5)).permit != nil)
    breaker.ended(rest, .failed, at: Self.at(9), random: 0)
    #expect(breaker.failuresInARow == 1)
    // For a call that is no probe it changes nothing.
    let call = try #require(breaker.admit(at: Self.at(9)).permit)
    #expect(breaker.answering(call, at: Self.at(9)) == call)
  }

  @Test func `a probe that is never handed back does not shut the gateway for good`() throws {
    var (breaker, lost) = Self.probing()
    #expect(breaker.admit(at: Self.at(664.9)).permit == nil)
    let next = breaker.admit(at: Self.at(665))
    #expect(next.permit?.isProbe == true)
    breaker.ended(try #require(lost), .succeeded, at: Self.at(666), random: 0)
    #expect(breaker.state == .probing(since: Self.at(665)))
  }

  @Test func `a clock that goes back or leaps does no harm`() throws {
    var breaker = CircuitBreaker()
    for _ in 0..<5 { _ = Self.call(&breaker, .failed, at: 100) }
    #expect(breaker.admit(at: Self.at(0)) == .refused(until: Self.at(105)))
    #expect(breaker.refusal(at: Self.at(-1000)) == Self.at(105))
    let year = Self.at(100 + 10 * 365 * 86_400)
    #expect(breaker.admit(at: year).permit?.isProbe == true)
    // Calls before the origin fit the window, too.
    var other = CircuitBreaker()
    for _ in 0..<5 { _ = Self.call(&other, .failed, at: -50) }
    #expect(other.state != .closed)
  }

  @Test func `refusal foretells what admit does, and changes nothing`() {
    var (breaker, _) = Self.probing()
    #expect(breaker.refusal(at: Self.at(6)) == Self.at(10))
    #expect(breaker.refusal(at: Self.at(20)) == Self.at(20))
    #expect(breaker.admit(at: Self.at(6)) == .refused(until: Self.at(10)))
  }
}

extension CircuitBreaker.Admission {
  var permit: CircuitBreaker.Permit? {
    switch self {
    case .allowed(let permit), .probe(let permit): permit
    case .refused: nil
    }
  }
}

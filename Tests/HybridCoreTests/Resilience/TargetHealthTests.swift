import HybridCore
import Testing

@Suite struct TargetHealthTests {
  static func at(_ seconds: Double) -> Moment { Moment(sinceOrigin: .seconds(seconds)) }

  static func call(
    _ health: inout TargetHealth, _ code: ErrorCode?, hint: Duration? = nil, at seconds: Double
  ) {
    guard case .allowed(let permit) = health.admit(at: at(seconds)) else { return }
    health.ended(
      permit, code, table: .standard, hint: hint, at: at(seconds), random: 0)
  }

  @Test func `a rate limit cools down without opening the breaker`() {
    var health = TargetHealth()
    for second in 0..<10 {
      Self.call(&health, .rateLimited, hint: .milliseconds(500), at: Double(second))
    }
    #expect(health.breaker.state == .closed)
    #expect(
      health.availability(at: Self.at(9.4)) == .coolingDown(.rateLimited, until: Self.at(9.5)))
    #expect(
      health.admit(at: Self.at(9.4)) == .refused(.coolingDown(.rateLimited, until: Self.at(9.5))))
    #expect(health.availability(at: Self.at(9.5)) == .available)
  }

  /// A call that was rate limited at 0 s and told no time; what its next try meets 1 s later.
  private static func again(
    _ between: (inout TargetHealth) -> Void = { _ in }
  ) -> GatewayStatus.Availability {
    var health = TargetHealth()
    guard case .allowed(let permit) = health.admit(at: at(0)) else { return .available }
    let own = health.ended(permit, .rateLimited, table: .standard, at: at(0), random: 0)
    between(&health)
    return health.availability(at: at(1), after: own)
  }

  @Test func `a call that waited may pass the cool-down that was assumed for it`() {
    #expect(Self.again() == .available)
    // Others may not, nor may a call whose own failure began none.
    var health = TargetHealth()
    Self.call(&health, .rateLimited, at: 0)
    #expect(health.availability(at: Self.at(1)) == .coolingDown(.rateLimited, until: Self.at(5)))
    #expect(health.coolDown?.isAssumed == true)
    let named = CoolDown(code: .overloaded, until: Self.at(1))
    #expect(health.availability(at: Self.at(1), after: named) != .available)
  }

  @Test func `what the gateway named, the breaker and being offline hold for it as well`() {
    // Another call, under way at the same time, was told 3 s: less than the 5 s that are assumed.
    func meanwhile(_ code: ErrorCode, hint: Duration?) -> GatewayStatus.Availability {
      var health = TargetHealth()
      guard case .allowed(let first) = health.admit(at: Self.at(0)),
        case .allowed(let second) = health.admit(at: Self.at(0))
      else { return .available }
      let own = health.ended(first, .rateLimited, table: .standard, at: Self.at(0), random: 0)
      health.ended(second, code, table: .standard, hint: hint, at: Self.at(0), random: 0)
      return health.availability(at: Self.at(1), after: own)
    }
    #expect(
      meanwhile(.rateLimited, hint: .seconds(3)) == .coolingDown(.rateLimited, until: Self.at(3)))
    #expect(
      meanwhile(.quotaExhausted, hint: nil) == .coolingDown(.quotaExhausted, until: Self.at(600)))
    #expect(meanwhile(.rateLimited, hint: nil) == .available)
    #expect(Self.again { $0.offlineSince = Self.at(0.5) } == .offline(since: Self.at(0.5)))
    let failing = Self.again { health in
      let own = CoolDown(code: .rateLimited, until: Self.at(5), isAssumed: true)
      for _ in 0..<5 {
        guard case .allowed(let permit) = health.admit(at: Self.at(0), after: own) else { return }
        health.ended(permit, .server, table: .standard, at: Self.at(0), random: 0)
      }
    }
    #expect(failing == .breakerOpen(until: Self.at(5), failures: 5))
  }

  @Test func `a server failure opens the breaker, and a hint is kept as well`() {
    var health = TargetHealth()
    for second in 0..<5 { Self.call(&health, .server, at: Double(second)) }
    #expect(health.availability(at: Self.at(5)) == .breakerOpen(until: Self.at(9), failures: 5))
    // The probe at 9 s is told to come back in 20 s.
    Self.call(&health, .overloaded, hint: .seconds(20), at: 9)
    #expect(health.availability(at: Self.at(28)) == .coolingDown(.overloaded, until: Self.at(29)))
    #expect(health.availability(at: Self.at(29)) == .available)
  }

  @Test func `a probe that meets a rate limit closes the breaker and cools down`() {
    var health = TargetHealth()
    for _ in 0..<5 { Self.call(&health, .connectionRefused, at: 0) }
    Self.call(&health, .rateLimited, hint: .seconds(2), at: 5)
    #expect(health.breaker.state == .closed)
    #expect(health.availability(at: Self.at(6)) == .coolingDown(.rateLimited, until: Self.at(7)))
  }

  @Test func `an early success does not end a cool-down`() throws {
    var health = TargetHealth()
    guard case .allowed(let early) = health.admit(at: Self.at(0)) else {
      Issue.record("refused")
      return
    }
    Self.call(&health, .rateLimited, hint: .seconds(60), at: 1)
    health.ended(early, nil, table: .standard, at: Self.at(2), random: 0)
    #expect(health.availability(at: Self.at(3)) == .coolingDown(.rateLimited, until: Self.at(61)))
  }

  @Test func `an offline gateway is asked nothing until it is declared back`() {
    var health = TargetHealth()
    health.offlineSince = Self.at(1)
    #expect(health.admit(at: Self.at(2)) == .refused(.offline(since: Self.at(1))))
    health.offlineSince = nil
    #expect(health.availability(at: Self.at(2)) == .available)
  }

  @Test(
    arguments: [
      (.server, 9), (.timeoutIdle, 9), (.rateLimited, 9), (nil, 10), (.invalidRequest, 10),
      (.authentication, 10), (.cancelled, 10),
    ] as [(ErrorCode?, Double)])
  func `the budget pays for failures that retries would multiply`(
    code: ErrorCode?, tokens: Double
  ) {
    var health = TargetHealth()
    Self.call(&health, code, at: 0)
    #expect(health.budget.tokens == tokens)
  }

  @Test func `cancelled calls leave no trace`() {
    var health = TargetHealth()
    let fresh = health
    for _ in 0..<50 { Self.call(&health, .cancelled, at: 0) }
    #expect(health == fresh)
  }

  /// Ten calls that end at their callers' deadlines, `length` seconds after they were sent.
  private static func ended(after length: Double, _ contact: GatewayContact) -> TargetHealth {
    var health = TargetHealth()
    for call in 0..<10 {
      let begun = Double(call)
      guard case .allowed(let permit) = health.admit(at: at(begun)) else { continue }
      health.ended(
        permit, .deadlineExceeded, table: .standard, contact: contact, at: at(begun + length),
        random: 0)
    }
    return health
  }

  @Test(
    arguments: [
      (3, .silence(.seconds(3)), true), (0.5, .silence(.milliseconds(500)), false),
      (1.999, .silence(.milliseconds(1999)), false), (2, .silence(.seconds(2)), true),
      // One that had begun to answer is slow, and not gone. One that was never asked is neither.
      (3, .response, false), (3, .none, false),
    ] as [(Double, GatewayContact, Bool)])
  func `callers in a hurry do not hide a gateway that hangs`(
    length: Double, contact: GatewayContact, opens: Bool
  ) {
    let health = Self.ended(after: length, contact)
    #expect((health.breaker.state != .closed) == opens)
    // What counts for the breaker takes from the retry budget, and nothing else does.
    #expect((health.budget.tokens < 10) == opens)
  }

  @Test func `a probe that its caller ends too early gives the probe back`() {
    var health = TargetHealth()
    for _ in 0..<5 { Self.call(&health, .server, at: 0) }
    for _ in 0..<3 {
      guard case .allowed(let probe) = health.admit(at: Self.at(6)) else {
        Issue.record("refused")
        return
      }
      #expect(probe.isProbe)
      health.ended(
        probe, .deadlineExceeded, table: .standard, contact: .silence(.milliseconds(500)),
        at: Self.at(6), random: 0)
    }
    #expect(health.breaker.openings == 1)
    // One that had its time tells that the gateway still hangs.
    guard case .allowed(let probe) = health.admit(at: Self.at(6)) else {
      Issue.record("refused")
      return
    }
    health.ended(
      probe, .deadlineExceeded, table: .standard, contact: .silence(.seconds(3)), at: Self.at(9),
      random: 0)
    #expect(health.breaker.openings == 2)
    #expect(health.breaker.state == .open(until: Self.at(19)))
  }

  @Test func `targets are kept apart, and the book is bounded`() {
    var book = TargetBook(capacity: 3)
    let first = GatewayTarget(origin: "https://a:443", model: "m")
    for _ in 0..<5 { Self.call(&book[first], .server, at: 0) }
    #expect(book[first].availability(at: Self.at(1)) != .available)
    #expect(book[GatewayTarget(origin: "https://a:443")].availability(at: Self.at(1)) == .available)
    #expect(book.count == 1)
    for index in 0..<10 {
      Self.call(&book[GatewayTarget(origin: "o", model: "\(index)")], nil, at: 1)
      // Touched each time, the first is not the one forgotten.
      Self.call(&book[first], nil, at: 1)
    }
    #expect(book.count == 3)
    #expect(book[first].breaker.state != .closed)
  }
}

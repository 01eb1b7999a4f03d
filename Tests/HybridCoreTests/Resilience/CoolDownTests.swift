import HybridCore
import Testing

@Suite struct CoolDownTests {
  static let now = Moment(sinceOrigin: .seconds(100))

  @Test(
    arguments: [
      (.rateLimited, 30, 30), (.rateLimited, nil, 5), (.rateLimited, 0, 5),
      (.rateLimited, 1e9, 86_400), (.overloaded, 30, 30), (.overloaded, nil, nil),
      (.quotaExhausted, nil, 600), (.quotaExhausted, 10, 600), (.quotaExhausted, 1000, 1000),
      (.paymentRequired, nil, 600), (.invalidRequest, 30, nil), (.timeoutIdle, nil, nil),
      (.cancelled, nil, nil),
    ] as [(ErrorCode, Double?, Double?)])
  func `a failure starts the cool-down of its row`(
    code: ErrorCode, hint: Double?, seconds: Double?
  ) {
    let coolDown = CoolDown.after(
      code, row: FailureTable.standard.row(for: code), hint: hint.map { .seconds($0) },
      at: Self.now)
    #expect(coolDown?.until == seconds.map { Self.now + .seconds($0) })
    #expect(coolDown == nil || coolDown?.code == code)
  }

  @Test func `it ends at its moment`() {
    let coolDown = CoolDown(code: .rateLimited, until: Self.now)
    #expect(coolDown.isActive(at: Self.now - .nanoseconds(1)))
    #expect(!coolDown.isActive(at: Self.now))
  }

  @Test func `of two the later counts`() {
    let early = CoolDown(code: .quotaExhausted, until: Self.now)
    let late = CoolDown(code: .rateLimited, until: Self.now + .seconds(1))
    #expect(CoolDown.later(early, late) == late)
    #expect(CoolDown.later(late, early) == late)
    #expect(CoolDown.later(nil, early) == early)
    #expect(CoolDown.later(early, nil) == early)
    #expect(CoolDown.later(nil, nil) == nil)
  }
}

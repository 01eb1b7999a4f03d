import HybridCore
import Testing

@Suite struct FailureTableTests {
  /// A row of the documented table, as documented.
  struct Documented: CustomTestStringConvertible {
    let codes: [ErrorCode]
    let retry: RetryRule
    let fallback: FallbackRule
    let breaker: Bool
    var coolDown = CoolDownRule.none
    var local = LocalEffect.none

    var testDescription: String { codes.map(\.rawValue).joined(separator: ", ") }
  }

  static let documented = [
    Documented(
      codes: [
        .connectionDNS, .connectionRefused, .connectionUnreachable, .connectionProxy,
        .timeoutConnect,
      ], retry: .onlyIfAlone, fallback: .always, breaker: true),
    Documented(codes: [.connectionReset], retry: .once, fallback: .always, breaker: true),
    Documented(
      codes: [.timeoutFirstByte, .timeoutIdle, .timeoutTotal], retry: .never, fallback: .always,
      breaker: true),
    Documented(codes: [.tls], retry: .never, fallback: .ifPolicyAllowsTLS, breaker: true),
    Documented(
      codes: [.authentication, .permission, .noCredentials], retry: .never, fallback: .reported,
      breaker: false),
    Documented(
      codes: [.invalidRequest, .notFound, .payloadTooLarge], retry: .never, fallback: .never,
      breaker: false),
    Documented(
      codes: [.paymentRequired], retry: .never, fallback: .always, breaker: false,
      coolDown: .long),
    Documented(
      codes: [.redirectRefused, .wrongContentType, .tooLarge, .notHTTP], retry: .never,
      fallback: .reported, breaker: true),
    Documented(
      codes: [.invalidConfiguration, .invalidFile], retry: .never, fallback: .never,
      breaker: false),
    Documented(
      codes: [.contextLength, .contextTooLong], retry: .never, fallback: .ifOtherHasRoom,
      breaker: false),
    Documented(
      codes: [.requestTimeout, .conflict, .tooEarly, .server, .overloaded],
      retry: .whilePatient, fallback: .always, breaker: true, coolDown: .hinted),
    Documented(
      codes: [.rateLimited], retry: .ifHintFits, fallback: .always, breaker: false,
      coolDown: .hintedOrShort),
    Documented(
      codes: [.quotaExhausted], retry: .never, fallback: .always, breaker: false,
      coolDown: .long),
    Documented(
      codes: [.contentPolicy], retry: .never, fallback: .ifPolicyAllowsRefusal, breaker: false),
    Documented(
      codes: [.truncated, .badEventStream, .badJSON], retry: .always, fallback: .always,
      breaker: true),
    Documented(codes: [.interrupted], retry: .never, fallback: .never, breaker: true),
    Documented(
      codes: [
        .modelNotFound, .modelFileInvalid, .modelUnsupported, .modelLoadFailed, .decodeFailed,
        .engineLost,
      ], retry: .never, fallback: .always, breaker: false, local: .modelFailed),
    Documented(
      codes: [
        .localBusy, .templateRejected, .insufficientMemory, .unsupportedFeature, .modelLoading,
      ], retry: .never, fallback: .always, breaker: false),
    Documented(codes: [.cancelled], retry: .never, fallback: .never, breaker: false),
    Documented(codes: [.breakerOpen], retry: .never, fallback: .always, breaker: false),
    Documented(codes: [.deadlineExceeded], retry: .never, fallback: .never, breaker: false),
    Documented(
      codes: [.localRequired, .remoteUnavailable, .noSide], retry: .never, fallback: .never,
      breaker: false),
    Documented(
      codes: [.internal, ErrorCode(rawValue: "somebody's own")], retry: .never,
      fallback: .reported, breaker: false),
  ]

  @Test(arguments: documented)
  func `each code is treated as its row of the documentation says`(row: Documented) {
    let table = FailureTable.standard
    for code in row.codes {
      let found = table.row(for: code)
      #expect(found.retry == row.retry)
      #expect(found.fallback == row.fallback)
      #expect(found.countsForBreaker == row.breaker)
      #expect(found.coolDown == row.coolDown)
      #expect(found.localEffect == row.local)
      #expect(found.delays == (code == .rateLimited ? .throttled : .transient))
    }
  }

  @Test func `each code stands in one row, and each row has its codes`() {
    let table = FailureTable.standard
    let all = table.rows.flatMap { table.codes(of: $0.kind) }
    #expect(Set(all).count == all.count)
    let documented = Self.documented.flatMap(\.codes).filter { $0.rawValue != "somebody's own" }
    #expect(Set(all) == Set(documented))
    #expect(table.rows.allSatisfy { !$0.summary.isEmpty })
    #expect(Set(table.rows.map(\.kind)).count == table.rows.count)
  }

  @Test(arguments: FailureTable.standard.rows)
  func `after output no side may take over and no try repeats it, whatever the row`(
    row: FailureRow
  ) {
    for code in FailureTable.standard.codes(of: row.kind) {
      let after = FailureTable.standard.row(for: code, afterOutput: true)
      #expect(after.retry == .never)
      #expect(after.fallback == .never)
      #expect(after.countsForBreaker == row.countsForBreaker)
      #expect(after.coolDown == row.coolDown)
      #expect(after.localEffect == row.localEffect)
    }
  }

  static let fallbacks: [(rule: FallbackRule, tls: Bool, refusal: Bool, room: Bool)] = [
    (.never, false, false, false), (.always, true, true, true), (.reported, true, true, true),
    (.ifPolicyAllowsTLS, true, false, false), (.ifPolicyAllowsRefusal, false, true, false),
    (.ifOtherHasRoom, false, false, true),
  ]

  @Test(arguments: fallbacks)
  func `a fallback rule looks at its own fact alone`(
    rule: FallbackRule, tls: Bool, refusal: Bool, room: Bool
  ) {
    let none = FallbackRule.Facts(otherHasRoom: false)
    let always = rule == .always || rule == .reported
    #expect(rule.allows(none) == always)
    var facts = none
    facts.allowsAfterTLS = true
    #expect(rule.allows(facts) == tls)
    facts = none
    facts.allowsAfterRefusal = true
    #expect(rule.allows(facts) == refusal)
    facts = none
    facts.otherHasRoom = true
    #expect(rule.allows(facts) == room)
  }

  @Test func `a row can be overridden, and a code moved to another`() {
    var table = FailureTable.standard
    table[.credentials].fallback = .never
    table.move(.overloaded, to: .rateLimit)
    #expect(table.row(for: .authentication).fallback == .never)
    #expect(table.row(for: .overloaded).retry == .ifHintFits)
    #expect(table.row(for: .server).retry == .whilePatient)
    #expect(table.codes(of: .rateLimit) == [.overloaded, .rateLimited])
    #expect(!table.codes(of: .server).contains(.overloaded))
    #expect(table.rows.count == FailureTable.standard.rows.count)
  }

  @Test func `a table can have rows of its own`() {
    let kind = FailureKind(rawValue: "flaky")
    let code = ErrorCode(rawValue: "acme.flaky")
    var table = FailureTable.standard
    table[kind] = FailureRow(kind, "the gateway hiccuped", retry: .once, fallback: .always)
    table.move(code, to: kind)
    #expect(table.row(for: code).retry == .once)
    #expect(table.rows.last?.kind == kind)
    // A row is stored under the kind that it is set for.
    table[.tls] = table[kind]
    #expect(table.row(for: .tls).kind == .tls)
    #expect(table.row(for: .tls).retry == .once)
  }

  static let statuses: [(status: Int, codes: [ErrorCode])] = [
    (200, []), (204, []), (0, []), (99, []), (600, []), (301, [.redirectRefused]),
    (308, [.redirectRefused]), (400, [.invalidRequest, .contextLength, .contentPolicy]),
    (401, [.authentication]), (402, [.paymentRequired]), (403, [.permission]),
    (404, [.notFound]), (405, [.invalidRequest]), (408, [.requestTimeout]), (409, [.conflict]),
    (410, [.notFound]), (413, [.payloadTooLarge]), (415, [.invalidRequest]),
    (418, [.invalidRequest]), (422, [.invalidRequest]), (425, [.tooEarly]),
    (429, [.rateLimited, .quotaExhausted]), (451, [.invalidRequest]),
    (500, [.server, .contextLength]), (501, [.server]), (502, [.server]), (503, [.overloaded]),
    (504, [.server]), (529, [.overloaded]), (599, [.server]),
  ]

  @Test(arguments: statuses)
  func `an HTTP status has its codes`(status: Int, codes: [ErrorCode]) {
    #expect(ErrorCode.codes(forHTTPStatus: status) == codes)
    #expect(ErrorCode(httpStatus: status) == codes.first)
  }

  @Test(
    arguments: [
      (nil, .response, CallOutcome.succeeded), (.server, .response, .failed),
      (.timeoutIdle, .silence(.seconds(45)), .failed),
      (.connectionRefused, .silence(.zero), .failed), (.truncated, .response, .failed),
      (.invalidRequest, .response, .answered), (.rateLimited, .response, .answered),
      (.authentication, .response, .answered), (.invalidRequest, .silence(.zero), .abandoned),
      (.noCredentials, .none, .abandoned), (.cancelled, .response, .abandoned),
      (.cancelled, .none, .abandoned), (.breakerOpen, .none, .abandoned),
      // Its key was not to be had in time: that says nothing of the gateway.
      (.timeoutTotal, .none, .abandoned),
      // The caller's deadline counts against a gateway that had time and said nothing.
      (.deadlineExceeded, .silence(.milliseconds(1999)), .abandoned),
      (.deadlineExceeded, .silence(.seconds(2)), .failed),
      (.deadlineExceeded, .silence(.seconds(500)), .failed),
      (.deadlineExceeded, .response, .answered), (.deadlineExceeded, .none, .abandoned),
      // A caller that changes its mind says nothing, however long it took.
      (.cancelled, .silence(.seconds(500)), .abandoned),
    ] as [(ErrorCode?, GatewayContact, CallOutcome)])
  func `what a call tells of the gateway's health`(
    code: ErrorCode?, contact: GatewayContact, outcome: CallOutcome
  ) {
    let table = FailureTable.standard
    let limit = CircuitBreaker.Settings().silenceLimit
    #expect(limit == .seconds(2))
    #expect(table.outcome(of: code, after: contact, silenceLimit: limit) == outcome)
  }
}

import HybridCore
import HybridRouting
import Testing

struct NoSideTests {
  static let full = QueueStatus(depth: 64)
  static let tooLong = LocalFacts.ready(promptTokens: 2000)
  static let later = Moment.origin + .seconds(10)

  @Test
  func `while a crashed worker waits, the error says how long, what to do, and all of it once`()
    throws
  {
    let failure = ModelFailure(
      .engineLost, until: .origin + .milliseconds(2_500),
      message: "the worker was ended by SIGSEGV",
      nextStep: "Ask again", details: ["signal": "SIGSEGV"])
    let plan = RoutingPolicy(preference: .preferLocal).plan(
      for: RoutingFacts(request: RequestFacts(), local: .inState(.failed(failure)), remote: nil))
    let error = try #require(plan.noSideError)
    #expect(
      error.message.contains(
        "the worker was ended by SIGSEGV; it is started anew from 2.5 s on"), "\(error.message)")
    #expect(error.nextStep == "Ask again")
    #expect(error.details["retryAfter"]?.double == 2.5)
    #expect(error.details["until"] == nil)
    #expect(error.details["problem"] == nil)
    let own = error.details["local"]?["details"]
    #expect(own?["problem"]?["details"]?["signal"] == "SIGSEGV")
    #expect(own?["retryAfter"]?.double == 2.5)
  }

  @Test(
    arguments: [
      RemoteFacts.inState(.breakerOpen(until: later, failures: 5)),
      .inState(.coolingDown(.rateLimited, until: later)),
    ])
  func `a gateway's wait has the same name`(remote: RemoteFacts) throws {
    let plan = RoutingPolicy(preference: .remoteOnly).plan(
      for: RoutingFacts(request: RequestFacts(), local: nil, remote: remote))
    #expect(plan.noSideError?.details["retryAfter"]?.double == 10)
  }

  @Test(
    arguments: [
      // preference, tags, local, remote, error, cause, kind
      (Preference.localOnly, [], nil, nil, ErrorCode.localRequired, "noLocalModel", "unavailable"),
      (.localOnly, [], tooLong, nil, .localRequired, "contextTooLong", "contextTooLong"),
      (.localOnly, [], tooLong, .available, .localRequired, "contextTooLong", "contextTooLong"),
      (.localOnly, [], .ready(queue: full), nil, .localRequired, "localBusy", "temporary"),
      (
        .localOnly, [], .inState(.loading(remaining: .seconds(31))), nil, .localRequired,
        "modelLoading",
        "temporary"
      ),
      (.remoteOnly, [], .ready(), nil, .remoteUnavailable, "noGateway", "unavailable"),
      (
        .remoteOnly, [], nil, .inState(.breakerOpen(until: later, failures: 5)), .remoteUnavailable,
        "breakerOpen", "temporary"
      ),
      (
        .remoteOnly, [], .ready(), .inState(.coolingDown(.rateLimited, until: later)),
        .remoteUnavailable, "rateLimited", "temporary"
      ),
      (
        .remoteOnly, [.health], .ready(), .available, .remoteUnavailable, "privacy", "unavailable"
      ),
      (.preferLocal, [], nil, nil, .noSide, "noLocalModel", "unavailable"),
      (.preferRemote, [], nil, nil, .noSide, "noGateway", "unavailable"),
      (.preferLocal, [], tooLong, nil, .noSide, "contextTooLong", "contextTooLong"),
      (.preferRemote, [], tooLong, nil, .noSide, "noGateway", "contextTooLong"),
      (.preferLocal, [.private], tooLong, .available, .noSide, "contextTooLong", "unavailable"),
      (.preferRemote, [.private], nil, .available, .noSide, "privacy", "unavailable"),
      (
        .preferLocal, [], .ready(queue: full), .inState(.breakerOpen(until: later, failures: 5)),
        .noSide, "localBusy", "temporary"
      ),
      (
        .preferLocal, [], .ready(queue: full), .inState(.offline(since: .origin)), .noSide,
        "localBusy", "unavailable"
      ),
      (
        .preferLocal, [], tooLong, .inState(.offline(since: .origin)), .noSide, "contextTooLong",
        "unavailable"
      ),
      (
        .preferLocal, [], .inState(.missing), .inState(.coolingDown(.rateLimited, until: later)),
        .noSide, "noLocalModel", "unavailable"
      ),
    ] as [(Preference, Set<SensitivityTag>, LocalFacts?, RemoteFacts?, ErrorCode, String, String)])
  func `a plan without a side says which error it throws and what kind of dead end it is`(
    preference: Preference, tags: Set<SensitivityTag>, local: LocalFacts?, remote: RemoteFacts?,
    code: ErrorCode, cause: String, kind: String
  ) throws {
    let plan = RoutingPolicy(preference: preference).plan(
      for: RoutingFacts(request: RequestFacts(tags: tags), local: local, remote: remote))
    #expect(plan.ranOn == nil)
    #expect(plan.fallback == nil)
    let error = try #require(plan.noSideError)
    #expect(error.code == code)
    #expect(error.causeCode.rawValue == cause)
    #expect(plan.noSideKind?.rawValue == kind)
    #expect(error.noSideKind?.rawValue == kind)
    #expect(error.nextStep != nil)
    // Both sides' reasons are there, also those that did not decide.
    #expect(error.details["local"]?["code"]?.string != nil)
    #expect(error.details["remote"]?["code"]?.string != nil)
  }

  @Test func `a request that asks for what the policy does not admit leaves no side`() throws {
    let facts = RoutingFacts(
      request: RequestFacts(preference: .preferRemote), local: .ready(), remote: .available)
    let plan = RoutingPolicy(preference: .localOnly).plan(for: facts)
    #expect(plan.ranOn == nil)
    #expect(plan.effectivePreference == nil)
    #expect(plan.reason?.code == .preference)
    #expect(plan.reason(against: .local)?.code == .preference)
    #expect(plan.reason(against: .remote)?.code == .preference)
    let error = try #require(plan.noSideError)
    #expect(error.code == .noSide)
    #expect(error.noSideKind == .preferenceConflict)
    #expect(error.details["policy"] == "localOnly")
    #expect(error.details["request"] == "preferRemote")
    #expect(
      error.message
        == "the request asks for preferRemote, which the policy's localOnly does not admit")
  }

  @Test func `the error of a prompt too long carries its numbers`() throws {
    let plan = RoutingPolicy(preference: .localOnly).plan(
      for: RoutingFacts(local: Self.tooLong, remote: .available))
    let details = try #require(plan.noSideError).details
    #expect(details["prompt"] == 2000)
    #expect(details["reserved"] == 512)
    #expect(details["context"] == 2048)
    #expect(details["remote"]?["code"] == "preference")
  }
}

import HybridCore
import HybridRouting
import HybridTesting

/// A policy and facts drawn at random, with every check's cause and its borders among them.
struct GeneratedCase: CustomStringConvertible {
  var policy: RoutingPolicy
  var facts: RoutingFacts

  var description: String { "\(policy.preference), \(facts)" }

  static func cases(seed: UInt64, count: Int) -> [GeneratedCase] {
    var draw = Draw(generator: SeededGenerator(seed: seed))
    return (0..<count).map { _ in GeneratedCase(&draw) }
  }

  private init(_ draw: inout Draw) {
    policy = RoutingPolicy(
      preference: draw.one(of: Preference.allCases),
      localStandIns: draw.one(of: [[], ["gpt-4"]]),
      reservedOutputTokens: draw.one(of: [0, 64, 512, .max]),
      fallbackOnFailure: draw.chance(3, in: 4),
      tagsAllowedRemote: draw.one(of: [[], [], [.health]]),
      maxLocalWait: draw.one(of: [.zero, .seconds(5), .seconds(30)]))
    let now = Moment.origin + .seconds(draw.one(of: [0, 1000]))
    facts = RoutingFacts(
      request: RequestFacts(
        preference: draw.maybe(Preference.allCases), tags: draw.subset(of: [.health, .private]),
        model: draw.maybe(["gpt-4", "m-7b", "M-7B.Q4_K_M"]),
        features: draw.subset(of: [.images, .tools]), maxTokens: draw.maybe([1, 100, .max]),
        deadlineRemaining: draw.maybe([.zero, .seconds(4), .seconds(600)]),
        promptBytes: draw.maybe([0, 9, 4000])),
      local: draw.chance(4, in: 5) ? Self.local(&draw, now: now) : nil,
      remote: draw.chance(4, in: 5) ? Self.remote(&draw, now: now) : nil,
      limits: LimitFacts(switchedOff: draw.chance(1, in: 8) ? draw.subset(of: Side.allCases) : []),
      now: now)
    facts.request.choices = draw.chance(1, in: 6) ? draw.one(of: [2, 65]) : 1
    if facts.request.choices > 1 { facts.request.features.insert(.choices) }
  }

  private static func local(_ draw: inout Draw, now: Moment) -> LocalFacts {
    guard draw.chance(9, in: 10) else { return LocalFacts() }
    let state: LocalStatus.State = draw.one(of: [
      .ready, .ready, .ready, .notLoaded, .missing, .loading(remaining: nil),
      .loading(remaining: .seconds(5)), .failed(.modelLoadFailed, until: nil),
      .failed(.decodeFailed, until: now), .failed(.engineLost, until: now + .seconds(3)),
    ])
    let queue: QueueStatus = draw.one(of: [
      QueueStatus(), QueueStatus(depth: 64), QueueStatus(depth: 63),
      QueueStatus(expectedWait: .seconds(5)),
    ])
    return LocalFacts(
      status: LocalStatus(
        model: LocalModelInfo(name: "m-7b.Q4_K_M", path: "/models/m-7b.Q4_K_M.gguf"),
        state: state, contextLength: draw.maybe([64, 2048]),
        memory: draw.maybe([
          MemoryNeed(needed: 1, available: 1), MemoryNeed(needed: 2, available: 1),
        ]),
        queue: queue, features: draw.subset(of: [.images, .tools, .choices])),
      measurement: draw.maybe([
        .counted(1), .counted(1536), .counted(1537), .counted(.max),
        .templateRejected(message: "no system role", details: ["line": 3]),
        .unavailable(ModelFailure(.modelFileInvalid)),
      ]))
  }

  private static func remote(_ draw: inout Draw, now: Moment) -> RemoteFacts {
    guard draw.chance(9, in: 10) else { return RemoteFacts() }
    return RemoteFacts(
      status: GatewayStatus(
        origin: "https://gateway.example",
        credentials: draw.one(of: [.notNeeded, .present, .present, .missing(source: "key file")]),
        availability: draw.one(of: [
          .available, .available, .available, .coolingDown(.rateLimited, until: now),
          .coolingDown(.quotaExhausted, until: now + .seconds(9)),
          .breakerOpen(until: now, failures: 5),
          .breakerOpen(until: now + .seconds(9), failures: 5),
          .offline(since: now), .offline(since: now - .seconds(9)),
        ]), lacks: draw.chance(1, in: 6) ? draw.subset(of: [.tools, .choices]) : []))
  }
}

/// Random choices.
private struct Draw {
  var generator: SeededGenerator

  mutating func one<Value>(of values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &generator)]
  }

  mutating func maybe<Value>(_ values: [Value]) -> Value? {
    chance(1, in: 3) ? nil : one(of: values)
  }

  mutating func chance(_ part: Int, in whole: Int) -> Bool {
    Int.random(in: 1...whole, using: &generator) <= part
  }

  mutating func subset<Value>(of values: [Value]) -> Set<Value> {
    chance(1, in: 2) ? [] : Set(values.filter { _ in chance(1, in: 2) })
  }
}

extension GeneratedCase {
  /// The same case without what makes the check exclude the side.
  func removingCause(of entry: CheckEntry) -> GeneratedCase {
    var other = self
    switch entry.code {
    case .preference:
      other.policy.preference = entry.side == .local ? .preferLocal : .preferRemote
      other.facts.request.preference = nil
    case .privacy: other.facts.request.tags = []
    case .killSwitch: other.facts.limits.switchedOff.remove(entry.side)
    case .noLocalModel where facts.local == nil: other.facts.local = .ready()
    case .noLocalModel, .modelLoading: other.facts.local?.status?.state = .ready
    case .modelNotStandIn: other.facts.request.model = nil
    case .modelFailed:
      if case .failed = facts.local?.status?.state { other.facts.local?.status?.state = .ready }
      if case .unavailable = facts.local?.measurement {
        other.facts.local?.measurement = .counted(1)
      }
    case .unsupportedFeature:
      other.facts.request.features = []
      other.facts.request.choices = 1
    case .templateRejected: other.facts.local?.measurement = .counted(1)
    case .contextTooLong: other.facts.local?.status?.contextLength = nil
    case .insufficientMemory: other.facts.local?.status?.memory = nil
    case .localBusy: other.facts.local?.status?.queue = QueueStatus()
    case .noGateway: other.facts.remote = .available
    case .noCredentials: other.facts.remote?.status?.credentials = .present
    case .rateLimited, .remoteOffline, .breakerOpen:
      other.facts.remote?.status?.availability = .available
    default: break
    }
    return other
  }
}

/// What is done about one kind of failure: a row of the ``FailureTable``.
public struct FailureRow: Sendable, Hashable {
  public let kind: FailureKind

  /// The kind in words.
  public var summary: String

  /// Asked first.
  public var retry: RetryRule

  /// Asked once no retry comes.
  public var fallback: FallbackRule

  /// True if a failed try brings the circuit breaker nearer to opening.
  public var countsForBreaker: Bool

  public var coolDown: CoolDownRule
  public var localEffect: LocalEffect
  public var delays: DelayFamily

  public init(
    _ kind: FailureKind, _ summary: String, retry: RetryRule = .never,
    fallback: FallbackRule = .never, countsForBreaker: Bool = false, coolDown: CoolDownRule = .none,
    localEffect: LocalEffect = .none, delays: DelayFamily = .transient
  ) {
    self.kind = kind
    self.summary = summary
    self.retry = retry
    self.fallback = fallback
    self.countsForBreaker = countsForBreaker
    self.coolDown = coolDown
    self.localEffect = localEffect
    self.delays = delays
  }

  /// The row as it holds once output has been handed to the caller: no side may then take over, and
  /// no try may say the same again. The rest stays.
  public var afterOutput: FailureRow {
    var row = self
    row.retry = .never
    row.fallback = .never
    return row
  }
}

/// The name of a row. Open: a table may have rows of its own.
public struct FailureKind: RawRepresentable, Sendable, Hashable, Codable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public static let connection = FailureKind(rawValue: "connection")
  public static let reset = FailureKind(rawValue: "reset")
  public static let timeout = FailureKind(rawValue: "timeout")
  public static let tls = FailureKind(rawValue: "tls")
  public static let credentials = FailureKind(rawValue: "credentials")
  public static let wrongRequest = FailureKind(rawValue: "wrongRequest")
  public static let paymentRequired = FailureKind(rawValue: "paymentRequired")
  public static let wrongProtocol = FailureKind(rawValue: "wrongProtocol")
  public static let configuration = FailureKind(rawValue: "configuration")
  public static let contextLength = FailureKind(rawValue: "contextLength")
  public static let server = FailureKind(rawValue: "server")
  public static let rateLimit = FailureKind(rawValue: "rateLimit")
  public static let quota = FailureKind(rawValue: "quota")
  public static let refusal = FailureKind(rawValue: "refusal")
  public static let brokenStream = FailureKind(rawValue: "brokenStream")
  public static let interrupted = FailureKind(rawValue: "interrupted")
  public static let localFailure = FailureKind(rawValue: "localFailure")
  public static let localRefusal = FailureKind(rawValue: "localRefusal")
  public static let cancelled = FailureKind(rawValue: "cancelled")
  public static let notTried = FailureKind(rawValue: "notTried")
  public static let deadline = FailureKind(rawValue: "deadline")
  public static let noSide = FailureKind(rawValue: "noSide")
  public static let unknown = FailureKind(rawValue: "unknown")
}

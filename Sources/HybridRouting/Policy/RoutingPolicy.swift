public import HybridCore

/// What an application wants of routing. A value; the decision is ``plan(for:)``.
///
/// ```swift
/// var policy = RoutingPolicy(preference: .preferRemote)
/// policy.localStandIns = ["gpt-4o-mini"]
/// ```
public struct RoutingPolicy: Sendable, Hashable {
  public var preference: Preference

  /// Names of models that the local one may answer for, ignoring case.
  public var localStandIns: [String]

  /// Tokens kept free for the answer of a request that does not set `maxTokens`.
  public var reservedOutputTokens: Int

  /// Whether the other side takes over when the chosen one fails before its first output.
  public var fallbackOnFailure: Bool

  /// Whether it also does when the chosen side refuses the content.
  public var fallbackOnRefusal: Bool

  /// Whether it also does when the gateway's certificate or TLS is at fault.
  public var fallbackOnTLSFailure: Bool

  /// Tags whose requests may leave the machine. Empty: a request with any tag stays.
  public var tagsAllowedRemote: Set<SensitivityTag>

  public var limits: GatewayLimits

  /// The longest wait between two tries of the gateway while the local side could take the request.
  public var patience: Duration

  /// The longest wait for the local side's turn, or for the rest of its model's load. Beyond it the
  /// request goes elsewhere, or fails as temporary. As long by default as a gateway may take to its
  /// first byte.
  public var maxLocalWait: Duration

  /// What is done about each failure. The rows hold whatever the policy says elsewhere; the
  /// `fallbackOn…` flags answer those that ask for them.
  public var failures: FailureTable

  public init(
    preference: Preference = .preferLocal, localStandIns: [String] = [],
    reservedOutputTokens: Int = 512, fallbackOnFailure: Bool = true,
    fallbackOnRefusal: Bool = false, fallbackOnTLSFailure: Bool = false,
    tagsAllowedRemote: Set<SensitivityTag> = [], limits: GatewayLimits = GatewayLimits(),
    patience: Duration = .seconds(2), maxLocalWait: Duration = .seconds(30),
    failures: FailureTable = .standard
  ) {
    self.preference = preference
    self.localStandIns = localStandIns
    self.reservedOutputTokens = reservedOutputTokens
    self.fallbackOnFailure = fallbackOnFailure
    self.fallbackOnRefusal = fallbackOnRefusal
    self.fallbackOnTLSFailure = fallbackOnTLSFailure
    self.tagsAllowedRemote = tagsAllowedRemote
    self.limits = limits
    self.patience = patience
    self.maxLocalWait = maxLocalWait
    self.failures = failures
  }

  /// How long the parts of a gateway call may take.
  public struct GatewayLimits: Sendable, Hashable {
    /// Name look-up, connection and TLS together. nil: 1.5 s where a local side could take over, 5 s
    /// for a gateway alone.
    public var connect: Duration?

    /// From the request sent to the first byte of its answer.
    public var firstByte: Duration

    /// Between two pieces of the answer; any byte counts, comments included.
    public var idle: Duration

    /// The whole call.
    public var total: Duration

    public init(
      connect: Duration? = nil, firstByte: Duration = .seconds(30), idle: Duration = .seconds(45),
      total: Duration = .seconds(600)
    ) {
      self.connect = connect
      self.firstByte = firstByte
      self.idle = idle
      self.total = total
    }

    /// The limit on connecting, where it is left open by whether a local side could take over.
    public func connect(hasLocalSide: Bool) -> Duration {
      connect ?? (hasLocalSide ? .milliseconds(1500) : .seconds(5))
    }

    /// The limits of one call.
    public func timeLimits(hasLocalSide: Bool) -> TimeLimits {
      TimeLimits(
        connect: connect(hasLocalSide: hasLocalSide), firstByte: firstByte, idle: idle,
        total: total)
    }
  }
}

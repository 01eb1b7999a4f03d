/// A gateway that can say beforehand whether it could take a request.
public protocol RemoteSide: Executor {
  /// The present state towards `model` (nil: the gateway's default). Opens no socket and resolves no
  /// name.
  func status(model: String?) async -> GatewayStatus
}

/// What is known of a gateway without asking it.
public struct GatewayStatus: Sendable, Hashable {
  /// Scheme, host and port.
  public var origin: String

  public var credentials: Credentials
  public var availability: Availability

  /// What the gateway is known not to do: a plan sends it no request that needs some of it.
  public var lacks: Set<Feature>

  public init(
    origin: String, credentials: Credentials = .notNeeded, availability: Availability = .available,
    lacks: Set<Feature> = []
  ) {
    self.origin = origin
    self.credentials = credentials
    self.availability = availability
    self.lacks = lacks
  }

  public enum Credentials: Sendable, Hashable {
    case notNeeded
    case present
    /// The source that yielded nothing, by a name without the secret.
    case missing(source: String)
  }

  public enum Availability: Sendable, Hashable {
    case available
    /// The gateway said when to come back, or its quota is spent.
    case coolingDown(ErrorCode, until: Moment)
    case breakerOpen(until: Moment, failures: Int)
    /// Declared or found to be offline.
    case offline(since: Moment)
  }
}

public import HybridCore

/// What is known of the gateway without asking it.
public struct RemoteFacts: Sendable, Hashable {
  /// nil: not looked at, because an earlier check had excluded the remote side.
  public var status: GatewayStatus?

  public init(status: GatewayStatus? = nil) {
    self.status = status
  }
}

extension RemoteFacts {
  /// A gateway that nothing is known against.
  public static let available = RemoteFacts.inState(.available)

  /// A gateway whose key source yields nothing.
  public static let withoutCredentials = RemoteFacts(
    status: GatewayStatus(
      origin: "https://gateway.example", credentials: .missing(source: "key file")))

  /// A gateway that is cooling down, offline, or behind an open breaker.
  public static func inState(_ availability: GatewayStatus.Availability) -> RemoteFacts {
    RemoteFacts(
      status: GatewayStatus(origin: "https://gateway.example", availability: availability))
  }
}

/// How long each phase of an exchange took, up to its response's head. nil: the transport cannot tell,
/// or there was no such phase.
public struct ConnectionPhases: Sendable, Hashable {
  /// Finding the host's address.
  public var nameLookup: Duration?

  /// The TCP connection, from the address on.
  public var connect: Duration?

  /// The TLS handshake, from the connection on.
  public var tls: Duration?

  /// From the connection's being ready to the head's first byte.
  public var firstByte: Duration?

  /// True where the connection had served a request before: then the first three are nil.
  public var isReused: Bool

  public init(
    nameLookup: Duration? = nil, connect: Duration? = nil, tls: Duration? = nil,
    firstByte: Duration? = nil, isReused: Bool = false
  ) {
    self.nameLookup = nameLookup
    self.connect = connect
    self.tls = tls
    self.firstByte = firstByte
    self.isReused = isReused
  }
}

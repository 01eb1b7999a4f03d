/// How long the parts of a gateway call may take. The deadline of the request bounds them all.
public struct TimeLimits: Sendable, Hashable {
  /// Name look-up, connection and TLS together.
  public var connect: Duration

  /// From the request sent to the first byte of the answer.
  public var firstByte: Duration

  /// Between two pieces of the answer; any byte counts, comments included.
  public var idle: Duration

  /// The whole call.
  public var total: Duration

  /// The defaults are for a gateway alone; with a local side to take over, connect waits 1.5 s.
  public init(
    connect: Duration = .seconds(5), firstByte: Duration = .seconds(30),
    idle: Duration = .seconds(45), total: Duration = .seconds(600)
  ) {
    self.connect = connect
    self.firstByte = firstByte
    self.idle = idle
    self.total = total
  }
}

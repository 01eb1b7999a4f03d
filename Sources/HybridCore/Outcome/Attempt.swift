/// One try at one side, as it ended.
public struct Attempt: Sendable, Hashable {
  public var side: Side

  /// nil: it succeeded.
  public var failure: ErrorCode?

  /// The HTTP status, where one came.
  public var status: Int?

  public var duration: Duration

  public init(side: Side, failure: ErrorCode?, status: Int? = nil, duration: Duration) {
    self.side = side
    self.failure = failure
    self.status = status
    self.duration = duration
  }

  /// `ok`, or the failure's code.
  public var outcome: String { failure?.rawValue ?? "ok" }
}

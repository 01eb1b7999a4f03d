/// Where an answer's time went. What is not known is nil (a gateway's prefill and load).
public struct Timings: Sendable, Hashable {
  /// Waiting for a turn.
  public var queue: Duration?
  /// Loading the model, when this request had to wait for it.
  public var load: Duration?
  /// Processing the prompt.
  public var prefill: Duration?
  /// Generating, from the first token to the last.
  public var decode: Duration?
  /// From the request to the first piece of output handed out.
  public var firstToken: Duration?
  /// From the request to the end.
  public var total: Duration?
  /// Time that the CPU quota kept the process waiting meanwhile, added up over CPUs.
  public var throttled: Duration?
  /// The share of the time, 0…1, in which some task of the machine waited for a CPU.
  public var cpuPressure: Double?

  public init(
    queue: Duration? = nil, load: Duration? = nil, prefill: Duration? = nil,
    decode: Duration? = nil, firstToken: Duration? = nil, total: Duration? = nil,
    throttled: Duration? = nil, cpuPressure: Double? = nil
  ) {
    self.queue = queue
    self.load = load
    self.prefill = prefill
    self.decode = decode
    self.firstToken = firstToken
    self.total = total
    self.throttled = throttled
    self.cpuPressure = cpuPressure
  }
}

/// The CPU threads that a local answer used.
public struct ThreadCounts: Sendable, Hashable {
  public var decode: Int
  public var prefill: Int

  public init(decode: Int, prefill: Int) {
    self.decode = decode
    self.prefill = prefill
  }
}

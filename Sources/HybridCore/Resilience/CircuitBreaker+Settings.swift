extension CircuitBreaker {
  /// When a breaker opens and for how long.
  public struct Settings: Sendable, Hashable {
    /// Opens on this many failures with no success between them.
    public var failuresInARow: Int

    /// Opens when at least ``windowShare`` of at least ``windowCalls`` calls within
    /// ``windowLength`` failed.
    public var windowCalls: Int
    public var windowShare: Double
    public var windowLength: Duration

    /// Stays open for `openBase` · 2ⁿ, at most `openCap`, and up to `openJitter` of that longer:
    ///
    /// | n       | 0       | 1         | 2         | 3         | 4 and more |
    /// |---------|---------|-----------|-----------|-----------|------------|
    /// | seconds | 5 … 5.5 | 10 … 11   | 20 … 22   | 40 … 44   | 60 … 66    |
    public var openBase: Duration
    public var openCap: Duration
    public var openJitter: Double

    /// After this long a probe that was never handed back counts as lost. Longer than any call may
    /// take (600 s by the standard limits).
    public var probeLimit: Duration

    /// A call that ended at its caller's deadline counts as failed where the gateway had had this
    /// long and sent nothing; after a shorter time it tells nothing. 2 s, as long as a request waits
    /// for a gateway while another side could take it (the standard patience).
    public var silenceLimit: Duration

    public init(
      failuresInARow: Int = 5, windowCalls: Int = 20, windowShare: Double = 0.5,
      windowLength: Duration = .seconds(30), openBase: Duration = .seconds(5),
      openCap: Duration = .seconds(60), openJitter: Double = 0.1,
      probeLimit: Duration = .seconds(660), silenceLimit: Duration = .seconds(2)
    ) {
      self.failuresInARow = failuresInARow
      self.windowCalls = windowCalls
      self.windowShare = windowShare
      self.windowLength = windowLength
      self.openBase = openBase
      self.openCap = openCap
      self.openJitter = openJitter
      self.probeLimit = probeLimit
      self.silenceLimit = silenceLimit
    }
  }
}

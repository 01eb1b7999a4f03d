/// What tuning a model to the CPU came to.
public struct ModelTuning: Sendable, Hashable {
  public struct Copy: Sendable, Hashable {
    public var format: String
    /// nil where it could not be made or measured.
    public var measurement: FormatMeasurement?
    public var verdict: CopyVerdict

    public init(format: String, measurement: FormatMeasurement?, verdict: CopyVerdict) {
      self.format = format
      self.measurement = measurement
      self.verdict = verdict
    }
  }

  /// The file as it is.
  public var original: FormatMeasurement
  public var copies: [Copy]
  public var limits: QualityLimits
  /// What a copy has to gain to be worth its disk space.
  public var leastGain: Double
  /// False where an earlier run had measured all this.
  public var isNew: Bool
  /// The copy that was kept; nil where the original is best.
  public var keptPath: String?
  /// What may have spoilt the measurement, in a sentence without its full stop.
  public var warning: String?

  public init(
    original: FormatMeasurement, copies: [Copy], limits: QualityLimits, leastGain: Double,
    isNew: Bool, keptPath: String? = nil, warning: String? = nil
  ) {
    self.original = original
    self.copies = copies
    self.limits = limits
    self.leastGain = leastGain
    self.isNew = isNew
    self.keptPath = keptPath
    self.warning = warning
  }

  /// The row of the copy that was kept.
  public var kept: Copy? { copies.first { $0.verdict == .kept } }
}

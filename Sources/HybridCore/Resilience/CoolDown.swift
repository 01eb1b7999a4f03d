/// A gateway's wish to be left alone until a moment: it keeps its own state beside the breaker,
/// because a gateway that says "later" is in good health.
public struct CoolDown: Sendable, Hashable {
  /// Why.
  public var code: ErrorCode
  public var until: Moment

  /// True where the gateway named no time and ``Settings/short`` stands for it.
  public var isAssumed: Bool

  public init(code: ErrorCode, until: Moment, isAssumed: Bool = false) {
    self.code = code
    self.until = until
    self.isAssumed = isAssumed
  }

  public func isActive(at now: Moment) -> Bool { now < until }

  /// How long cool-downs last.
  public struct Settings: Sendable, Hashable {
    /// After a rate limit without a hint.
    public var short: Duration

    /// After 402 or a spent quota: long enough to spare the gateway, short enough for someone who
    /// has just paid. A longer hint counts.
    public var long: Duration

    /// No hint holds longer: a wrong date must not shut a gateway for years.
    public var longest: Duration

    public init(
      short: Duration = .seconds(5), long: Duration = .seconds(600),
      longest: Duration = .seconds(86_400)
    ) {
      self.short = short
      self.long = long
      self.longest = longest
    }
  }

  /// The cool-down that a failure starts; nil where it starts none.
  public static func after(
    _ code: ErrorCode, row: FailureRow, hint: Duration?, at now: Moment,
    settings: Settings = Settings()
  ) -> CoolDown? {
    let hint = hint.flatMap { $0 > .zero ? min($0, settings.longest) : nil }
    let length: Duration? =
      switch row.coolDown {
      case .none: nil
      case .hinted: hint
      case .hintedOrShort: hint ?? settings.short
      case .long: max(hint ?? .zero, settings.long)
      }
    let isAssumed = row.coolDown == .hintedOrShort && hint == nil
    return length.map { CoolDown(code: code, until: now + $0, isAssumed: isAssumed) }
  }

  /// Of two cool-downs the one that ends later.
  public static func later(_ left: CoolDown?, _ right: CoolDown?) -> CoolDown? {
    guard let left, let right else { return left ?? right }
    return right.until > left.until ? right : left
  }
}

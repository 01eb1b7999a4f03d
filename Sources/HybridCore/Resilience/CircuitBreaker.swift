/// Leaves a failing gateway alone, and finds out with single probes when it is back: one for each
/// origin and model.
///
///     closed ──5 failures in a row, or half of ≥ 20 calls in 30 s──▶ open
///     open ──5 s · 2ⁿ have passed; the next call is the probe──▶ probing
///     probing ──the probe fails──▶ open (n + 1)        probing ──it is answered──▶ closed
///
/// It does not know whether other gateways exist, and so works with a single one. Every call is
/// admitted by a permit and ends by handing it back; a result from before the last change of state
/// is too late to count. Times come from outside; one that goes back counts as no time passing.
public struct CircuitBreaker: Sendable, Hashable {
  public let settings: Settings

  public private(set) var state: State = .closed

  /// How often it has opened since it was last closed.
  public private(set) var openings = 0

  /// Failed calls without a success between them.
  public private(set) var failuresInARow = 0

  private var window: CallWindow
  private var generation: UInt64 = 0
  private var latest = Moment.origin

  public init(settings: Settings = Settings()) {
    self.settings = settings
    window = CallWindow(length: settings.windowLength)
  }

  public enum State: Sendable, Hashable {
    case closed
    case open(until: Moment)
    /// One probe is under way.
    case probing(since: Moment)
  }

  /// Leave to make one call. Hand it back exactly once, however the call ends.
  public struct Permit: Sendable, Hashable {
    public let isProbe: Bool
    fileprivate let generation: UInt64
  }

  public enum Admission: Sendable, Hashable {
    case allowed(Permit)
    /// Allowed, as the one call that shows whether the gateway is back.
    case probe(Permit)
    /// Not before `until`; while a probe is under way, a moment when its result may be known.
    case refused(until: Moment)
  }

  /// Asks to make a call.
  public mutating func admit(at now: Moment) -> Admission {
    advance(to: now)
    switch state {
    case .closed:
      return .allowed(Permit(isProbe: false, generation: generation))
    case .open, .probing:
      if let until = refusal(at: latest) { return .refused(until: until) }
      change(to: .probing(since: latest))
      return .probe(Permit(isProbe: true, generation: generation))
    }
  }

  /// Until when a call at `now` would be refused; nil if it would be admitted. Changes nothing.
  public func refusal(at now: Moment) -> Moment? {
    let now = max(now, latest)
    switch state {
    case .closed: return nil
    case .open(let until): return now < until ? until : nil
    case .probing(let since):
      // A probe whose permit was never handed back must not shut the gateway for good.
      guard now < since + settings.probeLimit else { return nil }
      return max(now, since + settings.openBase)
    }
  }

  /// A call ended.
  ///
  /// - Parameter random: uniform, from 0 to 1: spreads the moment of the next probe.
  public mutating func ended(
    _ permit: Permit, _ outcome: CallOutcome, at now: Moment, random: Double
  ) {
    advance(to: now)
    guard permit.generation == generation else { return }
    switch (state, outcome) {
    case (.probing, .succeeded), (.probing, .answered):
      close()
    case (.probing, .failed):
      failuresInARow += 1
      open(random: random)
    case (.probing, .abandoned):
      // Gives the probe back: the next call may be it, at once.
      change(to: .open(until: latest))
    case (.closed, .succeeded):
      failuresInARow = 0
      window.add(failed: false, at: latest)
      if isOverShare { open(random: random) }
    case (.closed, .failed):
      failuresInARow += 1
      window.add(failed: true, at: latest)
      if failuresInARow >= settings.failuresInARow || isOverShare { open(random: random) }
    case (.closed, .answered), (.closed, .abandoned), (.open, _):
      break
    }
  }

  /// The gateway began to answer: a probe has done its work, though the answer may take minutes
  /// more.
  ///
  /// - Returns: the permit to hand back at the end of the call.
  public mutating func answering(_ permit: Permit, at now: Moment) -> Permit {
    advance(to: now)
    guard permit.isProbe, permit.generation == generation else { return permit }
    close()
    return Permit(isProbe: false, generation: generation)
  }

  private var isOverShare: Bool {
    let (calls, failures) = window.counts(at: latest)
    return calls >= settings.windowCalls
      && Double(failures) >= settings.windowShare * Double(calls)
  }

  private mutating func close() {
    openings = 0
    failuresInARow = 0
    window.clear()
    change(to: .closed)
  }

  private mutating func open(random: Double) {
    let length = Backoff.doubled(settings.openBase, times: openings, cap: settings.openCap)
    openings += 1
    window.clear()
    change(to: .open(until: latest + length + length * settings.openJitter * random.unitInterval))
  }

  private mutating func change(to state: State) {
    self.state = state
    generation += 1
  }

  private mutating func advance(to now: Moment) {
    latest = max(latest, now)
  }
}

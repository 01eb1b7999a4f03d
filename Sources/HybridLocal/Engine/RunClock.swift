package import HybridCore

/// The moments of one run, and the timings that follow from them.
package struct RunClock: Sendable, Hashable {
  /// The request reached the executor.
  package var received: Moment
  /// The model was loaded; nil or past where it was there before the request.
  package var loaded: Moment?
  /// Its first step began: it had its turn, and room.
  package var started: Moment
  package var firstSample: Moment?
  package var firstOutput: Moment?
  package var lastSample: Moment?

  package init(received: Moment, loaded: Moment?, started: Moment) {
    self.received = received
    self.loaded = loaded
    self.started = started
  }

  package mutating func sampled(at now: Moment) {
    if firstSample == nil { firstSample = now }
    lastSample = now
  }

  package mutating func handedOut(at now: Moment) {
    if firstOutput == nil { firstOutput = now }
  }

  package func timings(at end: Moment) -> Timings {
    // A request that came while the model was being loaded waited first for that, then its turn.
    let load = loaded.flatMap { $0 > received ? $0 - received : nil }
    return Timings(
      queue: max(.zero, started - received - (load ?? .zero)), load: load,
      prefill: (firstSample ?? end) - started,
      decode: firstSample.flatMap { first in lastSample.map { $0 - first } },
      firstToken: firstOutput.map { $0 - received }, total: end - received)
  }
}

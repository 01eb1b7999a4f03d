import HybridCore

/// The clock of a script that was given none: it stands still, and a wait on it fails at once, for
/// nobody could end it.
struct NoClock: TimeSource {
  func now() -> Moment { .origin }

  func secondsSince1970() -> Double { 0 }

  func sleep(until moment: Moment) async throws(CancellationError) {
    throw CancellationError()
  }

  static let waitError = HybridError(
    .invalidConfiguration, "a script waits, and was given no clock",
    nextStep: "Pass one ManualClock as `time`, here and to the chat or the client")
}

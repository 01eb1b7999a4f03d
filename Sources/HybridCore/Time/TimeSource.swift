/// Where the time comes from: a monotonic clock to measure and wait by, and the calendar's time for
/// HTTP dates.
///
/// Everything in HybridKit that waits or measures takes one; tests pass `ManualClock`.
public protocol TimeSource: Sendable {
  /// The present on the monotonic clock. Never goes back; goes on while the machine sleeps.
  func now() -> Moment

  /// The calendar's time in seconds since 1970-01-01 UTC. May jump.
  func secondsSince1970() -> Double

  /// Returns at `moment` or soon after, at once if it is past.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func sleep(until moment: Moment) async throws(CancellationError)
}

/// The system's clocks.
public struct SystemTimeSource: TimeSource {
  private static let start = ContinuousClock.now

  public init() {}

  public func now() -> Moment {
    Moment(sinceOrigin: ContinuousClock.now - Self.start)
  }

  public func secondsSince1970() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  public func sleep(until moment: Moment) async throws(CancellationError) {
    repeat {
      // The clock ends the process over a moment that it cannot count in nanoseconds.
      let next = min(moment, now() + .seconds(30 * 86_400))
      do {
        try await ContinuousClock().sleep(until: Self.start + next.sinceOrigin, tolerance: nil)
      } catch {
        throw CancellationError()  // the only error that the clock's sleep throws
      }
    } while now() < moment
  }
}

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

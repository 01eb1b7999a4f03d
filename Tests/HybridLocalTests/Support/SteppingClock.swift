import HybridCore
import HybridTesting
import Synchronization

/// A clock that moves on by itself each time that it is read, once it was started: whoever reads it
/// often sees much time pass.
final class SteppingClock: TimeSource {
  private let clock = ManualClock()
  private let step: Duration
  private let isRunning = Atomic(false)

  init(step: Duration) {
    self.step = step
  }

  func start() { isRunning.store(true, ordering: .relaxed) }

  func now() -> Moment {
    if isRunning.load(ordering: .relaxed) { clock.advance(by: step) }
    return clock.now()
  }

  func secondsSince1970() -> Double { clock.secondsSince1970() }

  func sleep(until moment: Moment) async throws(CancellationError) {
    try await clock.sleep(until: moment)
  }
}

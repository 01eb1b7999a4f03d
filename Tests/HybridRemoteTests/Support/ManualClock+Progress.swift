import HybridCore
import HybridTesting

extension ManualClock {
  /// Lets every wait pass as soon as it is begun, until `isDone` says that enough has happened.
  ///
  /// - Parameter longest: longer waits are limits, which are not to pass while something goes on.
  func advance(
    longest: Duration = .seconds(1_000_000_000), untilDone isDone: @Sendable () -> Bool
  ) async {
    while !isDone() {
      let isDue = nextWake.map { $0 - now() <= longest } ?? false
      if !isDue || !advanceToNextSleeper() { await Task.yield() }
    }
  }
}

import HybridTesting

extension ManualClock {
  /// Lets every wait pass as soon as it is begun, until `isDone` says that enough has happened.
  func advance(untilDone isDone: @Sendable () -> Bool) async {
    while !isDone() {
      if !advanceToNextSleeper() { await Task.yield() }
    }
  }
}

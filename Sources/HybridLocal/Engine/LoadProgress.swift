package import HybridCore
private import Synchronization

/// How far a load has come. Written by the thread that loads, read by any.
package final class LoadProgress: Sendable {
  private let started: Moment
  private let perMille = Atomic(0)

  package init(started: Moment) {
    self.started = started
  }

  /// - Parameter fraction: 0…1.
  package func record(_ fraction: Float) {
    perMille.store(Int(fraction * 1000), ordering: .relaxed)
  }

  /// The time that is left if it goes on as before; nil in the first twentieth.
  package func remaining(at now: Moment) -> Duration? {
    let done = perMille.load(ordering: .relaxed)
    guard done >= 50 else { return nil }
    return (now - started) * (1000 - done) / done
  }
}

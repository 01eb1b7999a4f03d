package import HybridCore
private import Synchronization

/// How far a load has come. Written by the thread that loads, read by any.
package final class LoadProgress: Sendable {
  package typealias Listener = @Sendable (_ fraction: Double) -> Void

  private struct State {
    var listeners: [Int: Listener] = [:]
    var nextKey = 0
    /// The last step that was told, in percent.
    var told = -1
    var isFinished = false
  }

  /// Of a thousand, when all weights are there.
  private static let weights = 990

  private let started: Moment
  private let perMille = Atomic(0)
  private let state = Mutex(State())

  package init(started: Moment) {
    self.started = started
  }

  /// The weights have come so far. The listeners are told each percent, and no more than 0.99: the
  /// whole is there only with ``finish()``, once the context is made and threads are measured.
  ///
  /// - Parameter fraction: 0…1; what is none of these counts as the nearest.
  package func record(_ fraction: Float) {
    // What is no number is not above 0 either.
    let fraction = fraction > 0 ? min(fraction, 1) : 0
    let percent = min(99, Int(fraction * 100))
    let listeners = state.withLock { state -> [Int: Listener] in
      if state.isFinished { return [:] }
      perMille.store(min(Self.weights, Int(fraction * 1000)), ordering: .relaxed)
      guard percent > state.told else { return [:] }
      state.told = percent
      return state.listeners
    }
    for listener in listeners.values { listener(Double(percent) / 100) }
  }

  /// The model is loaded: the listeners are told 1, and nothing more.
  package func finish() {
    let listeners = state.withLock { state in
      state.isFinished = true
      perMille.store(1000, ordering: .relaxed)
      defer { state.listeners = [:] }
      return state.listeners
    }
    for listener in listeners.values { listener(1) }
  }

  /// Calls `listener` on the thread that loads, with fractions that only grow.
  ///
  /// - Returns: a key to ``forget(_:)`` it by; nil where the load has finished, and `listener` is not
  ///   called any more.
  package func listen(_ listener: @escaping Listener) -> Int? {
    state.withLock { state in
      if state.isFinished { return nil }
      state.nextKey += 1
      state.listeners[state.nextKey] = listener
      return state.nextKey
    }
  }

  /// The listener is told nothing more, apart from a call that is under way.
  package func forget(_ key: Int) {
    state.withLock { _ = $0.listeners.removeValue(forKey: key) }
  }

  /// 0…1; 1 only once everything is done.
  package var fraction: Double { Double(perMille.load(ordering: .relaxed)) / 1000 }

  /// The time that is left if it goes on as before; nil in the first twentieth, and once the weights
  /// are there: what comes then takes milliseconds, or minutes where threads are measured.
  package func remaining(at now: Moment) -> Duration? {
    let done = perMille.load(ordering: .relaxed)
    if done == 1000 { return .zero }
    guard (50..<Self.weights).contains(done) else { return nil }
    return (now - started) * (1000 - done) / done
  }
}

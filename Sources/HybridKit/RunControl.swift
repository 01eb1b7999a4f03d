internal import HybridCore
private import Synchronization

/// What the reader of an answer and whoever stops it share: the request to stop, and how to carry it
/// to the work of the moment.
final class RunControl: Sendable {
  private struct State {
    var isCancelled = false
    var isRead = false
    var stop: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// - Returns: false from the second call on: an answer has one reader.
  func beginReading() -> Bool {
    state.withLock { state in
      defer { state.isRead = true }
      return !state.isRead
    }
  }

  func cancel() {
    let stop = state.withLock { state in
      state.isCancelled = true
      // Taken out: what it stops may hold this very control.
      return state.stop.take()
    }
    stop?()
  }

  /// The work of the moment is stopped by `stop`; at once, where a stop was asked for before.
  func enter(stop: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.stop = stop }
      return state.isCancelled
    }
    if isCancelled { stop() }
  }

  func leave() {
    state.withLock { $0.stop = nil }
  }
}

/// A reader of an answer, shared by the copies of its run. When the last goes, the work stops.
final class RunReader: Sendable {
  private let control: RunControl

  /// False for every reader but the first.
  let mayRead: Bool

  init(_ control: RunControl) {
    self.control = control
    mayRead = control.beginReading()
  }

  deinit {
    if mayRead { control.cancel() }
  }
}

public import HybridCore
private import Synchronization

/// A clock that stands still until a test moves it.
///
/// What sleeps on it wakes when ``advance(by:)`` passes its moment, in the order of the moments and,
/// for equal ones, of arrival. A test that must not move the clock before somebody sleeps waits with
/// ``sleepers(atLeast:)``, never with a pause:
///
/// ```swift
/// let clock = ManualClock()
/// async let answer = chat.complete(request)
/// await clock.sleepers(atLeast: 1)
/// clock.advance(by: .seconds(2))
/// ```
public final class ManualClock: TimeSource {
  private struct Sleeper {
    let id: Int
    let moment: Moment
    let wake: CheckedContinuation<Bool, Never>
  }

  private struct Watcher {
    let id: Int
    let count: Int
    let wake: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now: Moment
    var secondsSince1970: Double
    var sleepers: [Sleeper] = []
    var watchers: [Watcher] = []
    /// Waits that were cancelled before they had begun.
    var cancelled: Set<Int> = []
    var nextID = 0

    mutating func makeID() -> Int {
      nextID += 1
      return nextID
    }

    /// Takes out the watchers that have seen enough sleepers.
    mutating func satisfiedWatchers() -> [Watcher] {
      let count = sleepers.count
      let satisfied = watchers.filter { $0.count <= count }
      watchers.removeAll { $0.count <= count }
      return satisfied
    }

    mutating func move(to moment: Moment) -> [Sleeper] {
      secondsSince1970 += (moment - now).inSeconds
      now = moment
      let due = sleepers.filter { $0.moment <= moment }
        .sorted { ($0.moment, $0.id) < ($1.moment, $1.id) }
      sleepers.removeAll { $0.moment <= moment }
      return due
    }
  }

  private let state: Mutex<State>

  /// - Parameters:
  ///   - now: where the monotonic clock begins.
  ///   - secondsSince1970: the calendar's time, which moves along; 2026-01-01 00:00 UTC by default.
  public init(now: Moment = .origin, secondsSince1970: Double = 1_767_225_600) {
    state = Mutex(State(now: now, secondsSince1970: secondsSince1970))
  }

  public func now() -> Moment {
    state.withLock { $0.now }
  }

  public func secondsSince1970() -> Double {
    state.withLock { $0.secondsSince1970 }
  }

  /// Makes the calendar jump, as when its clock is set; the monotonic clock does not notice.
  public func setSecondsSince1970(_ seconds: Double) {
    state.withLock { $0.secondsSince1970 = seconds }
  }

  /// Moves the time on and wakes what is due. A negative duration moves nothing.
  public func advance(by duration: Duration) {
    let due = state.withLock { $0.move(to: $0.now + max(.zero, duration)) }
    for sleeper in due { sleeper.wake.resume(returning: true) }
  }

  /// Moves the time to the next sleeper's moment and wakes what is due then.
  ///
  /// - Returns: false where nobody sleeps; then nothing moves.
  @discardableResult
  public func advanceToNextSleeper() -> Bool {
    let due = state.withLock { state in
      state.sleepers.map(\.moment).min().map { state.move(to: $0) } ?? []
    }
    for sleeper in due { sleeper.wake.resume(returning: true) }
    return !due.isEmpty
  }

  /// How many sleep now.
  public var sleeperCount: Int {
    state.withLock { $0.sleepers.count }
  }

  /// When the next sleeper is due; nil where nobody sleeps.
  public var nextWake: Moment? {
    state.withLock { $0.sleepers.map(\.moment).min() }
  }

  /// Returns once at least `count` sleep, or when the task is cancelled.
  public func sleepers(atLeast count: Int) async {
    let id = state.withLock { $0.makeID() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.cancelled.contains(id) || state.sleepers.count >= count { return true }
          state.watchers.append(Watcher(id: id, count: count, wake: continuation))
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let watcher = state.withLock { state in
        state.cancelled.insert(id)
        defer { state.watchers.removeAll { $0.id == id } }
        return state.watchers.first { $0.id == id }
      }
      watcher?.wake.resume()
    }
    state.withLock { _ = $0.cancelled.remove(id) }
  }

  public func sleep(until moment: Moment) async throws(CancellationError) {
    let id = state.withLock { $0.makeID() }
    let isAwake = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (outcome, watchers) = state.withLock { state -> (Bool?, [Watcher]) in
          if state.cancelled.contains(id) { return (false, []) }
          if moment <= state.now { return (true, []) }
          state.sleepers.append(Sleeper(id: id, moment: moment, wake: continuation))
          return (nil, state.satisfiedWatchers())
        }
        if let outcome { continuation.resume(returning: outcome) }
        for watcher in watchers { watcher.wake.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.cancelled.insert(id)
        defer { state.sleepers.removeAll { $0.id == id } }
        return state.sleepers.first { $0.id == id }
      }
      sleeper?.wake.resume(returning: false)
    }
    state.withLock { _ = $0.cancelled.remove(id) }
    guard isAwake else { throw CancellationError() }
  }
}

package import HybridCore

/// A request's number within its engine.
package struct RequestID: Sendable, Hashable {
  package let number: Int

  package init(_ number: Int) {
    self.number = number
  }
}

/// Who runs and who waits, in order of arrival. Bounded. Knows only what the order needs.
package struct RequestQueue: Sendable {
  package struct Ticket: Sendable, Hashable {
    package let id: RequestID
    package let work: Work
    /// Whoever still waits then is told so at once.
    package let deadline: Moment?

    package init(id: RequestID, work: Work, deadline: Moment? = nil) {
      self.id = id
      self.work = work
      self.deadline = deadline
    }
  }

  package enum Admission: Sendable, Hashable {
    /// Accepted, with this many before it.
    case admitted(ahead: Int)
    case full
  }

  package enum Cancellation: Sendable, Hashable {
    /// It waited, and has left the queue.
    case waiting
    /// It runs: whoever runs it must stop.
    case running
    /// It has ended, or never was.
    case absent
  }

  /// Requests that may be inside, the running one included.
  package let capacity: Int
  package private(set) var waiting: [Ticket] = []
  package private(set) var running: Ticket?
  private var runningSince = Moment.origin

  package init(capacity: Int) {
    self.capacity = max(1, capacity)
  }

  package var depth: Int { waiting.count + (running == nil ? 0 : 1) }

  package mutating func admit(_ ticket: Ticket) -> Admission {
    guard depth < capacity else { return .full }
    defer { waiting.append(ticket) }
    return .admitted(ahead: depth)
  }

  /// The next in order, which runs from now on. nil while one runs or none waits.
  package mutating func startNext(at now: Moment) -> Ticket? {
    guard running == nil, !waiting.isEmpty else { return nil }
    running = waiting.removeFirst()
    runningSince = now
    return running
  }

  /// The running one has ended.
  package mutating func finishRunning() {
    running = nil
  }

  package mutating func cancel(_ id: RequestID) -> Cancellation {
    if running?.id == id { return .running }
    guard let place = waiting.firstIndex(where: { $0.id == id }) else { return .absent }
    waiting.remove(at: place)
    return .waiting
  }

  /// Takes out those whose deadline passed while they waited.
  package mutating func removeExpired(at now: Moment) -> [RequestID] {
    func isExpired(_ ticket: Ticket) -> Bool { ticket.deadline.map { $0 <= now } ?? false }
    let expired = waiting.filter(isExpired)
    if !expired.isEmpty { waiting.removeAll(where: isExpired) }
    return expired.map(\.id)
  }

  /// True where the deadline of the running one has passed.
  package func isRunningExpired(at now: Moment) -> Bool {
    running?.deadline.map { $0 <= now } ?? false
  }

  /// Takes out all that wait.
  package mutating func removeAll() -> [RequestID] {
    defer { waiting.removeAll() }
    return waiting.map(\.id)
  }

  /// How long a new request would wait for its turn: what the others are expected to take, less
  /// the time that the running one has had.
  package func expectedWait(at now: Moment, by meter: SpeedMeter) -> Duration {
    var wait = Duration.zero
    if let running { wait = max(.zero, meter.expected(running.work) - (now - runningSince)) }
    return waiting.reduce(wait) { $0 + meter.expected($1.work) }
  }
}

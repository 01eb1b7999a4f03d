package import HybridCore

/// Which requests run and wait, and what the next step computes for whom.
///
/// Continuous batching: so many requests run at once, each in a sequence of the context's memory,
/// and each step computes one token for every stream and a chunk of the prompts that are not through.
/// Requests begin in order of arrival. Pure decisions: the engine asks for a ``Step``, does it, and
/// reports what came of it.
package struct Scheduler: Sendable {
  package struct Ticket: Sendable, Hashable {
    package let id: RequestID
    /// At least one token, and fewer than the context holds.
    package let prompt: [Token]
    package let work: Work
    package let deadline: Moment?

    package init(id: RequestID, prompt: [Token], work: Work, deadline: Moment? = nil) {
      self.id = id
      self.prompt = prompt
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
    /// It had not begun, and has left.
    case waiting
    /// It runs: it comes out of ``ended(at:)``.
    case running
    /// It has ended, or never was.
    case absent
  }

  /// Why a running request is to end before its answer does.
  package enum Ending: Sendable, Hashable {
    case cancelled
    case expired
  }

  package enum Mode: Sendable, Hashable {
    /// All streams in one step.
    case batched
    /// One sequence a step, prompts in chunks of fixed size: what else goes on changes no number.
    case oneSequence(chunk: Int)
  }

  /// A request that has begun.
  struct Run: Sendable {
    let ticket: Ticket
    let started: Moment
    /// The prompt and what was generated.
    var tokens: [Token]
    /// Its place in the context's memory; nil before it has one, and after it had to give it up.
    var sequence: Int?
    /// Tokens in memory.
    var processed = 0
    /// Tokens of the prompt that were there already when it began; nil until then.
    var reused: Int?
    var isStopped = false
    var lastStep: Int
    /// What may come after its last token.
    var guess: [Token] = []

    var id: RequestID { ticket.id }
    var pending: Int { tokens.count - processed }
    /// Its next token is to be computed, and nothing before that.
    var isStream: Bool { sequence != nil && pending == 1 && isAnswering }

    /// Its first token was chosen.
    var isAnswering: Bool { tokens.count > ticket.prompt.count }

    func isExpired(at now: Moment) -> Bool { ticket.deadline.map { $0 <= now } ?? false }
  }

  /// Requests that run at once.
  package let slots: Int
  /// Requests that may be inside, the running ones included.
  package let capacity: Int
  package let mode: Mode
  var chunks: ChunkPolicy
  var store: SequenceStore

  package internal(set) var waiting: [Ticket] = []
  /// In order of their beginning, which is that of their arrival.
  var running: [Run] = []
  /// Those in the step that is under way.
  var inStep: [RequestID] = []
  /// For the context's memory, before the next step.
  var commands: [SequenceStore.Command] = []
  /// Set when memory was tighter than thought: the most tokens of a step.
  var roomLimit: Int?
  var stepCount = 0

  /// - Parameters:
  ///   - batch: the most tokens of a step, at least `slots`.
  package init(
    slots: Int, capacity: Int, batch: Int, mode: Mode = .batched, store: SequenceStore
  ) {
    self.slots = max(1, slots)
    self.capacity = max(1, capacity)
    self.mode = mode
    self.store = store
    chunks = ChunkPolicy(largest: batch)
  }

  package var depth: Int { waiting.count + running.count }
  package var runningCount: Int { running.count }
  package var runningIDs: [RequestID] { running.map(\.id) }
  /// Cells of the context's memory that running requests hold.
  package var runningCells: Int { store.runningCells }

  // MARK: Coming and going

  package mutating func admit(_ ticket: Ticket) -> Admission { admit([ticket]) }

  /// All of them in their order, or none.
  package mutating func admit(_ tickets: [Ticket]) -> Admission {
    guard depth + tickets.count <= capacity else { return .full }
    defer { waiting += tickets }
    return .admitted(ahead: depth)
  }

  package mutating func cancel(_ id: RequestID) -> Cancellation {
    if let place = running.firstIndex(where: { $0.id == id }) {
      running[place].isStopped = true
      return .running
    }
    guard let place = waiting.firstIndex(where: { $0.id == id }) else { return .absent }
    waiting.remove(at: place)
    return .waiting
  }

  /// Takes out those whose deadline passed before they began.
  package mutating func removeExpired(at now: Moment) -> [RequestID] {
    func isExpired(_ ticket: Ticket) -> Bool { ticket.deadline.map { $0 <= now } ?? false }
    let expired = waiting.filter(isExpired)
    if !expired.isEmpty { waiting.removeAll(where: isExpired) }
    return expired.map(\.id)
  }

  /// Takes out all that have not begun.
  package mutating func removeWaiting() -> [RequestID] {
    defer { waiting.removeAll() }
    return waiting.map(\.id)
  }

  /// Running requests that were stopped, or whose deadline has passed. ``finish(_:caching:)`` them.
  package func ended(at now: Moment) -> [(RequestID, Ending)] {
    running.compactMap { run in
      if run.isStopped { return (run.id, .cancelled) }
      return run.isExpired(at: now) ? (run.id, .expired) : nil
    }
  }

  /// True where nobody wants what the step under way computes any more.
  package func isStepUnwanted(at now: Moment) -> Bool {
    !inStep.isEmpty
      && running.allSatisfy { run in
        run.isStopped || run.isExpired(at: now) || !inStep.contains(run.id)
      }
  }

  /// A running request has ended.
  ///
  /// - Parameter caching: whether others may build on its tokens.
  package mutating func finish(_ id: RequestID, caching: Bool = true) {
    guard let place = running.firstIndex(where: { $0.id == id }) else { return }
    if let sequence = running[place].sequence {
      commands += store.release(sequence, caching: caching)
    }
    running.remove(at: place)
  }

  // MARK: A run's numbers

  /// Tokens of the prompt that were in memory when the request began.
  package func reused(by id: RequestID) -> Int {
    running.first { $0.id == id }?.reused ?? 0
  }
}

package import HybridCore

extension Scheduler {
  /// One decode: tokens of several sequences.
  package struct Step: Sendable, Hashable {
    package struct Part: Sendable, Hashable {
      package var id: RequestID
      package var sequence: Int
      package var tokens: ArraySlice<Token>
      /// Of the first of the tokens.
      package var position: Int
      /// Tokens at the end, each of which asks for logits: none in the middle of a prompt, one at its
      /// end and for a stream, more for a stream's guess.
      package var outputs: Int
      /// A stream's next token, with a guess at those after it; no part of a prompt.
      package var isStream: Bool
    }

    /// Requests that begin.
    package var begun: [RequestID] = []
    /// For the context's memory, in order, before the parts.
    package var commands: [SequenceStore.Command] = []
    package var parts: [Part] = []

    package var streams: Int { parts.count { $0.isStream } }
    /// True where a stream guesses ahead.
    package var hasGuess: Bool { parts.contains { $0.isStream && $0.tokens.count > 1 } }
    package var promptTokens: Int {
      parts.reduce(0) { $0 + ($1.isStream ? 0 : $1.tokens.count) }
    }
  }

  /// What a step came to.
  package struct StepResult: Sendable, Hashable {
    /// Logits that are there.
    package struct Sample: Sendable, Hashable {
      package var id: RequestID
      /// The place in the batch of the first token that asked for them.
      package var index: Int
      /// The tokens after that one, which the logits are to confirm one by one.
      package var guess: [Token]

      package init(id: RequestID, index: Int, guess: [Token] = []) {
        self.id = id
        self.index = index
        self.guess = guess
      }
    }

    /// A request that cannot go on.
    package struct Failure: Sendable, Hashable {
      package var id: RequestID
      package var outcome: DecodeOutcome

      package init(id: RequestID, outcome: DecodeOutcome) {
        self.id = id
        self.outcome = outcome
      }
    }

    package var samples: [Sample] = []
    package var failed: [Failure] = []

    package init(samples: [Sample] = [], failed: [Failure] = []) {
      self.samples = samples
      self.failed = failed
    }
  }

  /// A prefix that another request is about to compute is worth waiting for from this length on.
  static let sharedPrefixWorthWaiting = 32
  /// Cells for further tokens of each stream, without which a new request does not begin.
  static let headroom = 32

  /// The next step; empty when there is nothing to do. Each is to be done, or ``leftOut(_:)``: its
  /// commands come once.
  package mutating func nextStep(at now: Moment) -> Step {
    var step = Step()
    while running.count < slots, !waiting.isEmpty {
      let ticket = waiting.removeFirst()
      running.append(
        Run(ticket: ticket, started: now, tokens: ticket.prompt, lastStep: stepCount))
      step.begun.append(ticket.id)
    }
    switch mode {
    case .batched:
      addStreams(to: &step)
      addPrompts(to: &step)
    case .oneSequence(let chunk): addTurn(to: &step, chunk: chunk)
    }
    stepCount += 1
    for part in step.parts {
      if let place = running.firstIndex(where: { $0.id == part.id }) {
        running[place].lastStep = stepCount
      }
    }
    inStep = step.parts.map(\.id)
    step.commands = commands
    commands = []
    return step
  }

  private mutating func addStreams(to step: inout Step) {
    var streams = running.indices.filter { running[$0].isStream }
    // With others in the step its tokens are dear.
    if running.count > 1 { for place in streams { running[place].guess = [] } }
    while !makeRoom(for: streams.reduce(0) { $0 + 1 + running[$1].guess.count }),
      let last = lastPlaced
    {
      // The latest begins anew when there is room.
      withdraw(last)
      streams.removeAll { $0 == last }
    }
    // A limit after a failed step: the others come next.
    for place in leastRecent(streams).prefix(roomLimit ?? .max) {
      addPart(of: place, count: 1, to: &step)
    }
  }

  private func leastRecent(_ places: [Int]) -> [Int] {
    roomLimit == nil ? places : places.sorted { running[$0].lastStep < running[$1].lastStep }
  }

  private mutating func addPrompts(to step: inout Step) {
    let streams = step.parts.count
    var allowance = chunks.promptTokens(besides: streams, prompts: running.count - streams)
    if let roomLimit { allowance = min(allowance, roomLimit - step.parts.count) }
    var taken = step.parts.count
    for place in running.indices where !running[place].isStream && allowance > 0 {
      if running[place].sequence == nil {
        if waitsForPrefix(place) { continue }
        // Who finds no room lets no later one pass. One that had passed before this one lost its place
        // would wait for it, and it for that one's cells.
        while step.parts.isEmpty, !hasRoomToBegin(place, besides: taken), let last = lastPlaced,
          last > place
        {
          withdraw(last)
        }
        guard hasRoomToBegin(place, besides: taken), begin(place) else { break }
      }
      var count = min(allowance, running[place].pending)
      // A small rest is not worth a step of its own.
      if step.parts.isEmpty, running[place].pending <= min(chunks.largest, allowance * 5 / 4) {
        count = running[place].pending
      }
      if store.availableCells - taken < count { count = max(0, store.availableCells - taken) }
      if count == 0, let last = lastPlaced, last > place {
        withdraw(last)
        step.parts.removeAll { $0.id == running[last].id }
        count = min(allowance, running[place].pending, max(0, store.availableCells - taken))
      }
      guard count > 0, makeRoom(for: taken + count) else { break }
      addPart(of: place, count: count, to: &step)
      taken += count
      allowance = max(0, allowance - count)
    }
  }

  /// One after the other, each with its own chunk or token.
  private mutating func addTurn(to step: inout Step, chunk: Int) {
    let next = running.indices.min { first, second in
      (running[first].lastStep, first) < (running[second].lastStep, second)
    }
    guard let next else { return }
    if running[next].sequence == nil, !begin(next) { return }
    let run = running[next]
    let count = run.isStream ? 1 : min(run.pending, chunk - run.processed % chunk)
    guard makeRoom(for: count) else { return }
    addPart(of: next, count: count, to: &step)
  }

  private mutating func addPart(of place: Int, count: Int, to step: inout Step) {
    let run = running[place]
    guard let sequence = run.sequence else { return }
    let end = run.processed + count
    step.parts.append(
      Step.Part(
        id: run.id, sequence: sequence,
        tokens: run.isStream
          ? [run.tokens[run.processed]] + run.guess : run.tokens[run.processed..<end],
        position: run.processed,
        outputs: end < run.tokens.count ? 0 : 1 + (run.isStream ? run.guess.count : 0),
        isStream: run.isStream))
  }

  // MARK: Room

  /// True when so many further tokens fit; what the cache holds goes for them.
  private mutating func makeRoom(for count: Int) -> Bool {
    guard let evictions = store.makeRoom(for: count) else { return false }
    commands += evictions
    return true
  }

  private var lastPlaced: Int? { running.lastIndex { $0.sequence != nil } }

  /// Gives up its cells; it will begin anew with all its tokens.
  private mutating func withdraw(_ place: Int) {
    guard let sequence = running[place].sequence else { return }
    commands += store.release(sequence, caching: false)
    running[place].sequence = nil
    running[place].processed = 0
    running[place].guess = []
    // An answer that goes on keeps what its prompt found at first.
    if !running[place].isAnswering { running[place].reused = nil }
  }

  /// Whether a request that begins now would soon have to give way.
  ///
  /// - Parameter taken: cells that the step takes already.
  private func hasRoomToBegin(_ place: Int, besides taken: Int) -> Bool {
    let placed = running.count { $0.sequence != nil }
    if placed == 0 { return true }
    let needed = store.needed(for: running[place].tokens)
    return taken + needed + Self.headroom * (placed + 1) <= store.availableCells
  }

  private mutating func begin(_ place: Int) -> Bool {
    guard let placement = store.place(running[place].tokens) else { return false }
    running[place].sequence = placement.sequence
    running[place].processed = placement.reused
    if running[place].reused == nil { running[place].reused = placement.reused }
    commands += placement.commands
    return true
  }

  /// True while an earlier request is about to compute a longer prefix of this one than there is yet.
  private func waitsForPrefix(_ place: Int) -> Bool {
    guard store.reuse == .prefixes else { return false }
    let tokens = running[place].tokens
    var known: Int?
    for earlier in running[..<place] where !earlier.isStream {
      let common = min(commonPrefix(tokens, earlier.tokens), tokens.count - 1)
      guard earlier.processed < common else { continue }
      let found = known ?? store.reusable(of: tokens)
      known = found
      if common - found >= Self.sharedPrefixWorthWaiting { return true }
    }
    return false
  }
}

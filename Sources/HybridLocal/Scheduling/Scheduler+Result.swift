package import HybridCore

extension Scheduler {
  /// The step was done, or not.
  ///
  /// - Parameter took: the time of the decode alone.
  package mutating func computed(
    _ step: Step, _ outcome: DecodeOutcome, took: Duration
  ) -> StepResult {
    inStep = []
    switch outcome {
    case .done:
      roomLimit = nil
      if !step.hasGuess {
        chunks.record(streams: step.streams, promptTokens: step.promptTokens, took: took)
      }
      return advance(step)
    case .noRoom:
      return makeDo(step)
    case .aborted:
      // Parts of it may be in memory.
      repair(step)
      return StepResult()
    case .invalidBatch, .failed:
      repair(step)
      return StepResult(failed: failures(step, outcome))
    }
  }

  private mutating func advance(_ step: Step) -> StepResult {
    var result = StepResult()
    var end = 0
    for part in step.parts {
      end += part.tokens.count
      guard let place = running.firstIndex(where: { $0.id == part.id }) else { continue }
      store.append(Array(part.tokens), to: part.sequence)
      running[place].processed += part.tokens.count
      if part.outputs > 0, !running[place].isStopped {
        result.samples.append(
          .init(
            id: part.id, index: end - part.outputs,
            guess: Array(part.tokens.suffix(part.outputs - 1))))
      }
    }
    return result
  }

  private func failures(_ step: Step, _ outcome: DecodeOutcome) -> [StepResult.Failure] {
    step.parts.map { .init(id: $0.id, outcome: outcome) }
  }

  private mutating func repair(_ step: Step) {
    for part in step.parts { commands += store.keep(part.position, of: part.sequence) }
  }

  /// llama.cpp found no room where our book-keeping has some: the cache goes, then the step shrinks.
  private mutating func makeDo(_ step: Step) -> StepResult {
    if store.cachedCells > 0 {
      commands += store.evictAll()
      return StepResult()
    }
    let size = step.parts.reduce(0) { $0 + $1.tokens.count }
    // Smaller chunks would change the numbers of a deterministic answer.
    guard size > 1, mode == .batched else {
      return StepResult(failed: failures(step, .noRoom))
    }
    roomLimit = max(1, size / 2)
    for place in running.indices { running[place].guess = [] }
    return StepResult()
  }

  /// The step was not even tried.
  package mutating func leftOut(_ step: Step) {
    inStep = []
  }

  /// The context could not cut this sequence: it is empty now, and its request begins anew.
  package mutating func lost(_ sequence: Int) {
    commands += store.release(sequence, caching: false)
    for place in running.indices where running[place].sequence == sequence {
      running[place].sequence = nil
      running[place].processed = 0
      running[place].guess = []
      running[place].reused = nil
    }
  }

  /// The next token of a request was chosen, and the answer goes on.
  ///
  /// - Parameter accepted: tokens of its guess before it, which turned out right. The others are
  ///   forgotten.
  package mutating func sampled(_ token: Token, for id: RequestID, accepted: Int = 0) {
    guard let place = running.firstIndex(where: { $0.id == id }) else { return }
    let guess = running[place].guess
    running[place].guess = []
    running[place].tokens += guess.prefix(accepted) + [token]
    guard let sequence = running[place].sequence, accepted < guess.count else { return }
    running[place].processed -= guess.count - accepted
    commands += store.keep(running[place].processed, of: sequence)
  }

  /// Tokens that a stream may go on with; the next step verifies them, if there is room.
  package mutating func guess(_ tokens: [Token], for id: RequestID) {
    guard mode == .batched, let place = running.firstIndex(where: { $0.id == id }) else { return }
    running[place].guess = tokens
  }

  /// How long a new request would wait for its turn: until one of the slots is free of those who are
  /// inside, each of whom takes what the meter expects.
  package func expectedWait(at now: Moment, by meter: SpeedMeter) -> Duration {
    var ends = running.map { max(.zero, meter.expected($0.ticket.work) - (now - $0.started)) }
    ends += Array(repeating: Duration.zero, count: max(0, slots - ends.count))
    ends.sort()
    for ticket in waiting {
      let end = ends.removeFirst() + meter.expected(ticket.work)
      ends.insert(end, at: ends.firstIndex { $0 > end } ?? ends.count)
    }
    return ends.first ?? .zero
  }
}

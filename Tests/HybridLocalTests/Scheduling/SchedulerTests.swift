import HybridCore
import HybridLocal
import Testing

struct SchedulerTests {
  static func scheduler(
    slots: Int = 2, capacity: Int = 9, batch: Int = 512, cells: Int = 1000, sequences: Int = 8,
    mode: Scheduler.Mode = .batched, reuse: SequenceStore.Reuse = .prefixes
  ) -> Scheduler {
    Scheduler(
      slots: slots, capacity: capacity, batch: batch, mode: mode,
      store: SequenceStore(sequences: sequences, capacity: cells, reuse: reuse))
  }

  static func ticket(
    _ number: Int, prompt: [Token]? = nil, output: Int = 10, deadline: Double? = nil
  ) -> Scheduler.Ticket {
    let prompt = prompt ?? (0..<10).map { Token(100 * number + $0) }
    return Scheduler.Ticket(
      id: RequestID(number), prompt: prompt,
      work: Work(promptTokens: prompt.count, mostOutputTokens: output),
      deadline: deadline.map { .origin + .seconds($0) })
  }

  /// Does the next step as an engine would, and answers each request with the token 7.
  @discardableResult
  static func step(
    _ scheduler: inout Scheduler, _ outcome: DecodeOutcome = .done
  ) -> (step: Scheduler.Step, result: Scheduler.StepResult) {
    let step = scheduler.nextStep(at: .origin)
    let result = scheduler.computed(step, outcome, took: .milliseconds(10))
    for sample in result.samples { scheduler.sampled(7, for: sample.id) }
    return (step, result)
  }

  @Test func `requests begin in order of arrival, as many as there are slots`() {
    var scheduler = Self.scheduler(slots: 2, capacity: 3)
    #expect(scheduler.admit(Self.ticket(1)) == .admitted(ahead: 0))
    #expect(scheduler.admit(Self.ticket(2)) == .admitted(ahead: 1))
    #expect(scheduler.admit(Self.ticket(3)) == .admitted(ahead: 2))
    #expect(scheduler.admit(Self.ticket(4)) == .full)
    #expect(Self.step(&scheduler).step.begun == [RequestID(1), RequestID(2)])
    #expect(Self.step(&scheduler).step.begun == [])
    scheduler.finish(RequestID(2))
    #expect(Self.step(&scheduler).step.begun == [RequestID(3)])
    #expect(scheduler.runningIDs == [RequestID(1), RequestID(3)])
  }

  @Test func `several tickets are admitted together or not at all`() {
    var scheduler = Self.scheduler(capacity: 4)
    #expect(scheduler.admit([Self.ticket(1), Self.ticket(2)]) == .admitted(ahead: 0))
    #expect(scheduler.admit([3, 4, 5].map { Self.ticket($0) }) == .full)
    #expect(scheduler.depth == 2)
    #expect(scheduler.admit([3, 4].map { Self.ticket($0) }) == .admitted(ahead: 2))
    #expect(scheduler.waiting.map(\.id.number) == [1, 2, 3, 4])
  }

  @Test(arguments: [1, 2, 3, 8])
  func `a prompt that many begin with is computed once, however many run at once`(slots: Int) {
    var scheduler = Self.scheduler(slots: slots, sequences: 16)
    let prompt = (0..<100).map { Token($0) }
    let choices = 6
    _ = scheduler.admit((1...choices).map { Self.ticket($0, prompt: prompt) })
    var computed = 0
    var answered: [RequestID: Int] = [:]
    for _ in 0..<200 where scheduler.depth > 0 {
      let (step, result) = Self.step(&scheduler)
      computed += step.promptTokens
      for sample in result.samples {
        answered[sample.id, default: 0] += 1
        if answered[sample.id] == 5 { scheduler.finish(sample.id) }
      }
    }
    #expect(scheduler.depth == 0)
    #expect(answered.values.allSatisfy { $0 == 5 })
    // Of the others each computes the last token, for its own draw.
    #expect(computed == prompt.count + choices - 1)
  }

  @Test func `streams get one token a step, and a new prompt its chunk beside them`() {
    var scheduler = Self.scheduler()
    _ = scheduler.admit(Self.ticket(1))
    let (first, _) = Self.step(&scheduler)
    #expect(first.parts.map(\.tokens.count) == [10])
    #expect(first.parts.map(\.outputs) == [1])
    _ = scheduler.admit(Self.ticket(2, prompt: Array(200..<300)))
    let (mixed, result) = Self.step(&scheduler)
    #expect(mixed.parts.map(\.id.number) == [1, 2])
    #expect(mixed.parts.map(\.isStream) == [true, false])
    #expect(mixed.parts.map(\.position) == [10, 0])
    #expect(mixed.parts.map(\.outputs) == [1, 0])
    #expect(mixed.parts[1].tokens.count == 16)
    #expect(result.samples == [.init(id: RequestID(1), index: 0)])
    let (next, _) = Self.step(&scheduler)
    #expect(next.parts.map(\.position) == [11, 16])
  }

  @Test func `prompts share a chunk in order of arrival`() {
    var scheduler = Self.scheduler(slots: 3)
    for number in 1...3 {
      _ = scheduler.admit(Self.ticket(number, prompt: (0..<60).map { Token(100 * number + $0) }))
    }
    let (step, result) = Self.step(&scheduler)
    // 128 tokens: two whole prompts, and eight of the third.
    #expect(step.parts.map(\.tokens.count) == [60, 60, 8])
    #expect(
      result.samples == [
        .init(id: RequestID(1), index: 59), .init(id: RequestID(2), index: 119),
      ])
  }

  @Test func `a prefix that all share is computed once`() {
    let system = (0..<50).map { Token($0) }
    var scheduler = Self.scheduler(slots: 3)
    for number in 1...3 {
      _ = scheduler.admit(Self.ticket(number, prompt: system + [Token(900 + number)]))
    }
    let (first, _) = Self.step(&scheduler)
    #expect(first.parts.map(\.id.number) == [1])
    let (second, _) = Self.step(&scheduler)
    #expect(second.parts.map(\.tokens.count) == [1, 1, 1])
    #expect(second.commands.count == 2)
    #expect([1, 2, 3].map { scheduler.reused(by: RequestID($0)) } == [0, 50, 50])
  }

  @Test func `who waits for another's prefix goes on when that one ends`() {
    let system = (0..<300).map { Token($0) }
    var scheduler = Self.scheduler()
    _ = scheduler.admit(Self.ticket(1, prompt: system + [901]))
    _ = scheduler.admit(Self.ticket(2, prompt: system + [902]))
    #expect(Self.step(&scheduler).step.parts.map(\.id.number) == [1])
    scheduler.finish(RequestID(1))
    let (next, _) = Self.step(&scheduler)
    #expect(next.parts.map(\.id.number) == [2])
    // What the other had computed is used all the same.
    #expect(next.parts.first?.position == 128)
  }

  @Test func `a conversation's next turn begins where the last one ended`() {
    var scheduler = Self.scheduler()
    _ = scheduler.admit(Self.ticket(1))
    for _ in 0..<4 { Self.step(&scheduler) }
    scheduler.finish(RequestID(1))
    let history = Self.ticket(1).prompt + [7, 7, 7]
    _ = scheduler.admit(Self.ticket(2, prompt: history + [1, 2, 3]))
    let (step, _) = Self.step(&scheduler)
    #expect(step.commands == [])
    #expect(step.parts.first?.position == 13)
    #expect(scheduler.reused(by: RequestID(2)) == 13)
  }

  @Test func `a cancel finds its own request and no other`() {
    var scheduler = Self.scheduler(slots: 1)
    for number in 1...3 { _ = scheduler.admit(Self.ticket(number)) }
    let step = scheduler.nextStep(at: .origin)
    #expect(scheduler.cancel(RequestID(2)) == .waiting)
    #expect(scheduler.cancel(RequestID(2)) == .absent)
    #expect(!scheduler.isStepUnwanted(at: .origin))
    #expect(scheduler.cancel(RequestID(1)) == .running)
    #expect(scheduler.isStepUnwanted(at: .origin))
    // Its logits are not asked for any more.
    #expect(scheduler.computed(step, .done, took: .seconds(1)).samples == [])
    #expect(scheduler.ended(at: .origin).map(\.0) == [RequestID(1)])
    #expect(scheduler.waiting.map(\.id) == [RequestID(3)])
  }

  @Test func `a step goes on while one of its requests is wanted`() {
    var scheduler = Self.scheduler()
    _ = scheduler.admit(Self.ticket(1))
    _ = scheduler.admit(Self.ticket(2, deadline: 5))
    _ = scheduler.nextStep(at: .origin)
    _ = scheduler.cancel(RequestID(1))
    #expect(!scheduler.isStepUnwanted(at: .origin))
    #expect(scheduler.isStepUnwanted(at: .origin + .seconds(5)))
    let endings = scheduler.ended(at: .origin + .seconds(5))
    #expect(endings.map(\.0) == [RequestID(1), RequestID(2)])
    #expect(endings.map(\.1) == [.cancelled, .expired])
  }

  @Test func `those whose deadline passed while they waited leave together`() {
    var scheduler = Self.scheduler(slots: 1)
    _ = scheduler.admit(Self.ticket(1, deadline: 1))
    _ = scheduler.nextStep(at: .origin)
    _ = scheduler.admit(Self.ticket(2, deadline: 2))
    _ = scheduler.admit(Self.ticket(3))
    _ = scheduler.admit(Self.ticket(4, deadline: 3))
    #expect(scheduler.removeExpired(at: .origin + .seconds(2)) == [RequestID(2)])
    #expect(scheduler.waiting.map(\.id) == [RequestID(3), RequestID(4)])
    #expect(scheduler.runningIDs == [RequestID(1)])
    #expect(scheduler.removeWaiting() == [RequestID(3), RequestID(4)])
  }

  @Test func `an aborted step is taken out of memory, and done again`() {
    var scheduler = Self.scheduler()
    _ = scheduler.admit(Self.ticket(1))
    let (first, _) = Self.step(&scheduler)
    let (second, result) = Self.step(&scheduler, .aborted)
    #expect(result == .init())
    let (third, _) = Self.step(&scheduler)
    #expect(third.commands == [.keep(sequence: first.parts[0].sequence, count: 10)])
    #expect(third.parts == second.parts)
  }

  @Test(arguments: [DecodeOutcome.invalidBatch, .failed(code: -2), .failed(code: 7)])
  func `a failed step fails those that were in it, and no other`(outcome: DecodeOutcome) {
    var scheduler = Self.scheduler(slots: 1)
    _ = scheduler.admit(Self.ticket(1))
    _ = scheduler.admit(Self.ticket(2))
    let (_, result) = Self.step(&scheduler, outcome)
    #expect(result.failed == [.init(id: RequestID(1), outcome: outcome)])
    scheduler.finish(RequestID(1), caching: false)
    #expect(Self.step(&scheduler).step.begun == [RequestID(2)])
  }

  @Test func `where answers are deterministic each step is one sequence's, in turns`() {
    var scheduler = Self.scheduler(
      slots: 2, mode: .oneSequence(chunk: 8), reuse: .wholeChunks(8))
    _ = scheduler.admit(Self.ticket(1))
    _ = scheduler.admit(Self.ticket(2))
    let steps = (0..<8).map { _ in Self.step(&scheduler).step }
    #expect(steps.map { $0.parts.map(\.id.number) } == [[1], [2], [1], [2], [1], [2], [1], [2]])
    #expect(steps.map { $0.parts[0].tokens.count } == [8, 8, 2, 2, 1, 1, 1, 1])
  }

  @Test func `in turns nobody is passed over by those who come later`() {
    var scheduler = Self.scheduler(
      slots: 2, mode: .oneSequence(chunk: 128), reuse: .wholeChunks(128))
    _ = scheduler.admit(Self.ticket(1))
    for _ in 0..<3 { Self.step(&scheduler) }
    var turns = 0
    for number in 2...7 {
      // Each is through with one step.
      _ = scheduler.admit(Self.ticket(number))
      let (step, _) = Self.step(&scheduler)
      if step.parts.first?.id == RequestID(1) { turns += 1 }
      if let id = step.parts.first?.id, id != RequestID(1) { scheduler.finish(id) }
    }
    #expect(turns >= 3)
  }

  @Test func `no room for a deterministic step fails it, rather than to change its numbers`() {
    var scheduler = Self.scheduler(mode: .oneSequence(chunk: 8), reuse: .wholeChunks(8))
    _ = scheduler.admit(Self.ticket(1))
    let (_, result) = Self.step(&scheduler, .noRoom)
    #expect(result.failed == [.init(id: RequestID(1), outcome: .noRoom)])
  }

  @Test func `a guess is verified in one step, and what was wrong of it is forgotten`() {
    var scheduler = Self.scheduler()
    _ = scheduler.admit(Self.ticket(1))
    Self.step(&scheduler)
    scheduler.guess([20, 21, 22], for: RequestID(1))
    let step = scheduler.nextStep(at: .origin)
    #expect(step.parts.first?.tokens == [7, 20, 21, 22])
    #expect(step.parts.first?.outputs == 4)
    let result = scheduler.computed(step, .done, took: .milliseconds(10))
    #expect(result.samples == [.init(id: RequestID(1), index: 0, guess: [20, 21, 22])])
    scheduler.sampled(99, for: RequestID(1), accepted: 1)
    let (next, _) = Self.step(&scheduler)
    #expect(next.commands == [.keep(sequence: step.parts[0].sequence, count: 12)])
    #expect(next.parts.first?.tokens == [99])
    #expect(next.parts.first?.position == 12)
  }

  @Test func `nobody guesses while others are in the step`() {
    var scheduler = Self.scheduler()
    _ = scheduler.admit(Self.ticket(1))
    Self.step(&scheduler)
    scheduler.guess([20, 21], for: RequestID(1))
    _ = scheduler.admit(Self.ticket(2))
    let (step, _) = Self.step(&scheduler)
    #expect(step.parts.first?.tokens == [7])
    #expect(!step.hasGuess)
  }

  @Test func `an aborted guess is tried again`() {
    var scheduler = Self.scheduler()
    _ = scheduler.admit(Self.ticket(1))
    Self.step(&scheduler)
    scheduler.guess([20, 21], for: RequestID(1))
    let (first, _) = Self.step(&scheduler, .aborted)
    let again = scheduler.nextStep(at: .origin)
    #expect(again.parts == first.parts)
    #expect(again.commands == [.keep(sequence: first.parts[0].sequence, count: 10)])
  }

  @Test func `the expected wait is until a slot is free, and nothing while one is`() {
    var meter = SpeedMeter()
    // 10 ms a prompt token, 100 ms a generated one.
    meter.record(
      promptTokens: 100, prefill: .seconds(1), generatedTokens: 11, decode: .seconds(1))
    var scheduler = Self.scheduler()
    func wait(_ seconds: Double) -> Int {
      let wait = scheduler.expectedWait(at: .origin + .seconds(seconds), by: meter)
      return Int((wait.inSeconds * 1000).rounded())
    }
    #expect(wait(0) == 0)
    // 1.1 s and 0.6 s.
    _ = scheduler.admit(Self.ticket(1, output: 10))
    _ = scheduler.nextStep(at: .origin)
    #expect(wait(0) == 0)
    _ = scheduler.admit(Self.ticket(2, output: 5))
    _ = scheduler.nextStep(at: .origin)
    #expect(wait(0) == 600)
    #expect(wait(0.2) == 400)
    _ = scheduler.admit(Self.ticket(3, output: 10))
    #expect(wait(0) == 1100)
    _ = scheduler.admit(Self.ticket(4, output: 10))
    #expect(wait(0) == 1700)
    #expect(wait(60) == 1100)
  }
}

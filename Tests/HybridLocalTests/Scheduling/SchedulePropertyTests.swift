import HybridCore
import HybridLocal
import HybridTesting
import Testing

/// Generated days of an engine: requests come, are cancelled, expire, fail and end.
struct SchedulePropertyTests {
  struct Day {
    var scheduler: Scheduler
    var memory: ModelMemory
    var random: SeededGenerator
    var answers: [RequestID: Int] = [:]
    var prompts: [RequestID: [Token]] = [:]
    var admitted: Set<Int> = []
    var begun: [Int] = []
    var ended: [Int] = []
    let contextLength: Int

    init(seed: UInt64, mode: Scheduler.Mode, reuse: SequenceStore.Reuse) {
      var random = SeededGenerator(seed: seed)
      let slots = Int.random(in: 1...5, using: &random)
      contextLength = Int.random(in: 20...120, using: &random)
      let isShared = mode == .batched
      let cells =
        isShared
        ? Int.random(in: contextLength...(3 * contextLength), using: &random)
        : slots * contextLength
      scheduler = Scheduler(
        slots: slots, capacity: Int.random(in: 1...12, using: &random),
        batch: Int.random(in: slots...40, using: &random), mode: mode,
        store: SequenceStore(
          sequences: isShared ? slots + Int.random(in: 1...4, using: &random) : slots,
          capacity: cells, cacheLimit: Int.random(in: 0...cells, using: &random), reuse: reuse))
      memory = ModelMemory(capacity: cells)
      self.random = random
    }

    mutating func end(_ id: RequestID) {
      #expect(admitted.contains(id.number) && !ended.contains(id.number))
      ended.append(id.number)
    }

    mutating func arrive(_ number: Int, at now: Moment) {
      let length = Int.random(in: 1..<contextLength, using: &random)
      // Two words make a language: many prompts begin alike.
      let head = Int.random(in: 0...length, using: &random)
      let prompt = (0..<length).map { place in
        place < head ? 0 : Token(Int.random(in: 0...9, using: &random) / 9)
      }
      let id = RequestID(number)
      let deadline =
        Bool.random(using: &random) ? now + .seconds(Int.random(in: 1...90, using: &random)) : nil
      let ticket = Scheduler.Ticket(
        id: id, prompt: prompt, work: Work(promptTokens: length, mostOutputTokens: 9),
        deadline: deadline)
      guard case .admitted = scheduler.admit(ticket) else { return }
      admitted.insert(number)
      prompts[id] = prompt
      answers[id] = min(
        Int.random(in: 1...20, using: &random), contextLength - length)
    }

    mutating func work(at now: Moment) {
      for (id, _) in scheduler.ended(at: now) {
        scheduler.finish(id)
        end(id)
      }
      let step = scheduler.nextStep(at: now)
      begun += step.begun.map(\.number)
      memory.obey(step.commands)
      check(step)
      let luck = Int.random(in: 0...19, using: &random)
      let outcome: DecodeOutcome =
        switch luck {
        case 0: .aborted
        case 1: .failed(code: -2)
        case 2: .noRoom
        default: .done
        }
      if outcome == .noRoom {
        // Nothing of it was kept.
        for failure in scheduler.computed(step, outcome, took: .zero).failed {
          scheduler.finish(failure.id, caching: false)
          end(failure.id)
        }
        return
      }
      var isStored = true
      for part in step.parts {
        #expect(memory.tokens(of: part.sequence).count == part.position)
        isStored = memory.append(Array(part.tokens), to: part.sequence) && isStored
      }
      // The scheduler never plans for more cells than there are.
      #expect(isStored)
      let result = scheduler.computed(step, outcome, took: .milliseconds(10))
      for failure in result.failed {
        scheduler.finish(failure.id, caching: false)
        end(failure.id)
      }
      for sample in result.samples {
        let accepted = Int.random(in: 0...sample.guess.count, using: &random)
        let left = (answers[sample.id] ?? 1) - 1 - accepted
        answers[sample.id] = left
        if left > 0 {
          let token = Token(Int.random(in: 0...9, using: &random) / 9)
          prompts[sample.id]? += sample.guess.prefix(accepted) + [token]
          scheduler.sampled(token, for: sample.id, accepted: accepted)
          let most = Int.random(in: 0...min(4, left - 1), using: &random)
          scheduler.guess(Array(repeating: 5, count: most), for: sample.id)
        } else {
          scheduler.finish(sample.id)
          end(sample.id)
        }
      }
    }

    func check(_ step: Scheduler.Step) {
      #expect(scheduler.runningCount <= scheduler.slots)
      #expect(scheduler.depth <= scheduler.capacity)
      #expect(Set(step.parts.map(\.id)).count == step.parts.count)
      #expect(Set(step.parts.map(\.sequence)).count == step.parts.count)
      if case .oneSequence = scheduler.mode { #expect(step.parts.count <= 1) }
      for part in step.parts {
        // What is in memory before it, and what it adds, is the request's own text.
        let tokens = prompts[part.id] ?? []
        let end = part.position + part.tokens.count
        #expect(Array(tokens[..<part.position]) == memory.tokens(of: part.sequence))
        // A guess is what the text may go on with.
        let own = part.tokens.prefix(tokens.count - part.position)
        #expect(Array(tokens[part.position..<min(end, tokens.count)]) == Array(own))
        #expect(part.outputs == max(0, end - tokens.count + 1))
      }
      // Somebody gets on.
      #expect(!step.parts.isEmpty || scheduler.runningCount == 0)
    }
  }

  static let kinds: [(Scheduler.Mode, SequenceStore.Reuse)] = [
    (.batched, .prefixes), (.batched, .wholeSequences),
    (.oneSequence(chunk: 8), .wholeChunks(8)), (.oneSequence(chunk: 8), .wholeSequences),
  ]

  @Test(arguments: kinds)
  func `every admitted request ends once, begins in order and leaves nothing behind`(
    mode: Scheduler.Mode, reuse: SequenceStore.Reuse
  ) {
    for seed in 0..<60 {
      var day = Day(seed: UInt64(seed), mode: mode, reuse: reuse)
      var now = Moment.origin
      var number = 0
      for _ in 0..<150 {
        now = now + .seconds(1)
        switch Int.random(in: 0...5, using: &day.random) {
        case 0, 1:
          number += 1
          day.arrive(number, at: now)
        case 2:
          let id = RequestID(Int.random(in: 0...number, using: &day.random))
          if day.scheduler.cancel(id) == .waiting { day.end(id) }
        default: break
        }
        for id in day.scheduler.removeExpired(at: now) { day.end(id) }
        day.work(at: now)
      }
      // Nothing more comes: all get to their end.
      var left = 5000
      while day.scheduler.depth > 0, left > 0 {
        left -= 1
        day.work(at: now)
      }
      #expect(Set(day.ended) == day.admitted)
      #expect(day.begun == day.begun.sorted())
      #expect(day.scheduler.runningCells == 0)
    }
  }
}

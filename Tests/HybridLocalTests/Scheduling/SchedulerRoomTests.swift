import HybridCore
import HybridLocal
import Testing

/// Requests that have, lack or lose room in the context.
extension SchedulerTests {
  @Test func `no room where there should be some empties the cache, then halves the step`() {
    var scheduler = Self.scheduler()
    _ = scheduler.admit(Self.ticket(1))
    Self.step(&scheduler)
    scheduler.finish(RequestID(1))
    _ = scheduler.admit(Self.ticket(2, prompt: [9, 9, 9, 9]))
    #expect(Self.step(&scheduler, .noRoom).step.parts.map(\.tokens.count) == [4])
    let (second, _) = Self.step(&scheduler, .noRoom)
    #expect(second.commands.count == 1)
    #expect(second.parts.map(\.tokens.count) == [4])
    #expect(Self.step(&scheduler, .noRoom).step.parts.map(\.tokens.count) == [2])
    let (last, result) = Self.step(&scheduler, .noRoom)
    #expect(last.parts.map(\.tokens.count) == [1])
    #expect(result.failed == [.init(id: RequestID(2), outcome: .noRoom)])
  }

  @Test func `where the context is full the latest begins anew, and the first goes on`() {
    var scheduler = Self.scheduler(slots: 2, cells: 100, sequences: 4)
    _ = scheduler.admit(Self.ticket(1))
    _ = scheduler.admit(Self.ticket(2))
    Self.step(&scheduler)
    var steps = 0
    var last = Self.step(&scheduler).step
    while last.parts.count == 2 {
      steps += 1
      last = Self.step(&scheduler).step
    }
    #expect(last.parts.map(\.id.number) == [1])
    #expect((38...41).contains(steps))
    for _ in 0..<30 { #expect(Self.step(&scheduler).step.parts.map(\.id.number) == [1]) }
    scheduler.finish(RequestID(1))
    // All that it had, generated tokens too, is computed again.
    let (again, _) = Self.step(&scheduler)
    #expect(again.parts.map(\.id.number) == [2])
    #expect(again.parts.first?.position == 0)
    #expect((again.parts.first?.tokens.count ?? 0) > 45)
    #expect(again.parts.first?.outputs == 1)
  }

  @Test func `a cached prefix takes room once it runs, so who would soon give way waits with it`() {
    var scheduler = Self.scheduler(cells: 200)
    let history = (0..<100).map { Token(1000 + $0) }
    _ = scheduler.admit(Self.ticket(1, prompt: history))
    Self.step(&scheduler)
    scheduler.finish(RequestID(1))
    _ = scheduler.admit(Self.ticket(2, prompt: (0..<40).map { Token(500 + $0) }))
    Self.step(&scheduler)
    // 20 further tokens would fit beside 40, and the 100 cached ones, if those took no room.
    _ = scheduler.admit(Self.ticket(3, prompt: history + (0..<20).map { Token(700 + $0) }))
    for _ in 0..<9 { #expect(Self.step(&scheduler).step.parts.map(\.id.number) == [2]) }
    scheduler.finish(RequestID(2))
    #expect(Self.step(&scheduler).step.parts.first?.position == 100)
    #expect(scheduler.reused(by: RequestID(3)) == 100)
  }

  @Test func `who lost its place in its prompt reuses what it finds then, and no more`() {
    // Beside three streams two prompt tokens a step.
    var scheduler = Self.scheduler(slots: 4, batch: 5, cells: 365)
    let history = (0..<60).map { Token(1000 + $0) }
    _ = scheduler.admit(Self.ticket(1, prompt: history))
    for _ in 0..<12 { Self.step(&scheduler) }
    scheduler.finish(RequestID(1))
    for number in 2...4 {
      _ = scheduler.admit(Self.ticket(number, prompt: [Token(number)]))
    }
    for _ in 0..<3 { Self.step(&scheduler) }
    let last = RequestID(5)
    _ = scheduler.admit(Self.ticket(5, prompt: history + (0..<130).map { Token(700 + $0) }))
    #expect(Self.step(&scheduler).step.parts.last?.position == 60)
    #expect(scheduler.reused(by: last) == 60)
    // The streams need its cells before it is through.
    for _ in 0..<60 { Self.step(&scheduler) }
    #expect(scheduler.reused(by: last) == 0)
  }

  @Test func `a sequence that cannot be cut is computed from its beginning`() {
    var scheduler = Self.scheduler()
    _ = scheduler.admit(Self.ticket(1))
    Self.step(&scheduler)
    scheduler.finish(RequestID(1))
    _ = scheduler.admit(Self.ticket(2, prompt: Self.ticket(1).prompt + [5]))
    let step = scheduler.nextStep(at: .origin)
    #expect(step.parts.first?.position == 10)
    scheduler.leftOut(step)
    scheduler.lost(step.parts.first?.sequence ?? 0)
    let (again, _) = Self.step(&scheduler)
    #expect(again.parts.first?.position == 0)
    #expect(again.parts.first?.tokens.count == 11)
    #expect(scheduler.reused(by: RequestID(2)) == 0)
  }

  @Test func `one that lost its place and a later one that has one do not wait for each other`() {
    var scheduler = Self.scheduler(batch: 64, cells: 200)
    _ = scheduler.admit(Self.ticket(1, prompt: (0..<120).map { Token($0) }))
    _ = scheduler.admit(Self.ticket(2, prompt: (0..<40).map { Token(900 + $0) }))
    var sequence = 0
    for _ in 0..<3 {
      let (step, _) = Self.step(&scheduler)
      sequence = step.parts.first { $0.id == RequestID(1) }?.sequence ?? -1
    }
    // The second is in its prompt, and what it holds leaves the first no room to begin anew.
    scheduler.lost(sequence)
    let (step, _) = Self.step(&scheduler)
    #expect(step.parts.map(\.id.number) == [1])
    #expect(step.parts.first?.position == 0)
    for _ in 0..<20 { Self.step(&scheduler) }
    scheduler.finish(RequestID(1))
    #expect(Self.step(&scheduler).step.parts.map(\.id.number) == [2])
  }
}

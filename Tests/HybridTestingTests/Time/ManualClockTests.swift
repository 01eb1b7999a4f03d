import HybridCore
import HybridTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ManualClockTests {
  @Test func `time stands still until it is moved, and the calendar moves along`() {
    let clock = ManualClock(secondsSince1970: 1000)
    #expect(clock.now() == .origin)
    clock.advance(by: .milliseconds(1500))
    #expect(clock.now() == .origin + .milliseconds(1500))
    #expect(clock.secondsSince1970() == 1001.5)
    clock.advance(by: .seconds(-5))
    #expect(clock.now() == .origin + .milliseconds(1500))
    clock.setSecondsSince1970(7)
    #expect(clock.secondsSince1970() == 7)
    #expect(clock.now() == .origin + .milliseconds(1500))
  }

  @Test func `a moment that is past needs no sleep`() async throws {
    let clock = ManualClock(now: .origin + .seconds(5))
    try await clock.sleep(until: .origin + .seconds(5))
    #expect(clock.sleeperCount == 0)
  }

  @Test func `sleepers wake when their moment comes and not before`() async throws {
    let clock = ManualClock()
    let woken = Log<Int>()
    try await withThrowingTaskGroup { group in
      for seconds in [3, 1, 2] {
        group.addTask {
          try await clock.sleep(until: .origin + .seconds(seconds))
          woken.add(seconds)
        }
      }
      await clock.sleepers(atLeast: 3)
      #expect(clock.nextWake == .origin + .seconds(1))

      clock.advance(by: .milliseconds(999))
      #expect(clock.sleeperCount == 3)
      clock.advance(by: .milliseconds(1))
      try await group.next()
      #expect(woken.entries == [1])

      #expect(clock.advanceToNextSleeper())
      try await group.next()
      #expect(woken.entries == [1, 2])
      #expect(clock.now() == .origin + .seconds(2))

      #expect(clock.advanceToNextSleeper())
      try await group.next()
      #expect(woken.entries == [1, 2, 3])
      #expect(!clock.advanceToNextSleeper())
    }
  }

  @Test func `a cancelled sleeper wakes with an error`() async {
    let clock = ManualClock()
    let sleeper = Task { try await clock.sleep(until: .origin + .seconds(1)) }
    await clock.sleepers(atLeast: 1)
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test func `a task cancelled beforehand does not fall asleep`() async {
    let clock = ManualClock()
    let gate = Gate()
    let sleeper = Task {
      _ = await gate.pass()
      try await clock.sleep(until: .origin + .seconds(1))
    }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test func `waiting for sleepers ends when the task is cancelled`() async {
    let clock = ManualClock()
    let watcher = Task { await clock.sleepers(atLeast: 1) }
    watcher.cancel()
    await watcher.value
  }
}

struct SeededGeneratorTests {
  @Test func `a seed gives the numbers of the published algorithm`() {
    var generator = SeededGenerator(seed: 1_234_567)
    let numbers = (0..<5).map { _ in generator.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }
}

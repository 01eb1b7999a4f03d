import HybridCore
import HybridLocal
import Synchronization
import Testing

struct TurnsTests {
  final class Counter: Sendable {
    private let value = Atomic(0)

    @discardableResult
    func add(_ amount: Int) -> Int {
      value.add(amount, ordering: .relaxed).newValue
    }
  }

  @Test func `one has the turn at a time, and the next one gets it`() async throws {
    let turns = Turns()
    let inside = Counter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          try await turns.take()
          #expect(inside.add(1) == 1)
          await Task.yield()
          inside.add(-1)
          turns.give()
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `who is cancelled while waiting has no turn, and nobody waits for him`() async throws {
    let turns = Turns()
    for _ in 0..<100 {
      try await turns.take()
      let cancelled = Task { try await turns.take() }
      let other = Task {
        try await turns.take()
        turns.give()
      }
      await Task.yield()
      // The turn may come in the very moment.
      async let given: Void = turns.give()
      cancelled.cancel()
      await given
      if case .success = await cancelled.result { turns.give() }
      try await other.value
    }
    try await turns.take()
  }
}

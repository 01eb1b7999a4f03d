import Dispatch
import HybridCore
import HybridLocal
import Testing

struct BackgroundQueueTests {
  @Test func `a cancelled task leaves the queue at once, and its work is left out`() async throws {
    let queue = BackgroundQueue()
    let began = OneShot<Void>()
    let mayEnd = DispatchSemaphore(value: 0)
    let first = Task {
      try await queue.run {
        began.set(.success(()))
        mayEnd.wait()
      }
    }
    try await began.wait()
    let ran = AbortFlag()
    let second = Task { try await queue.run { ran.raise() } }
    second.cancel()
    // Ends although the first work still holds the queue.
    let error = await #expect(throws: HybridError.self) { try await second.value }
    #expect(error?.code == .cancelled)
    mayEnd.signal()
    try await first.value
    try await queue.run {}
    #expect(!ran.isRaised)
  }

  @Test func `work that fails throws its own error`() async {
    let error = await #expect(throws: HybridError.self) {
      try await BackgroundQueue().run { () throws(HybridError) in
        throw HybridError(.templateRejected, "no")
      }
    }
    #expect(error?.code == .templateRejected)
  }
}

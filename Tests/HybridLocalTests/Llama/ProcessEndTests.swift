#if LocalLlama
  import Dispatch
  import Foundation
  import HybridLocal
  import Testing

  /// What a process does at its end with the library's calls that are under way.
  struct ProcessEndTests {
    @Test func `a call that never ends holds the process up for ten seconds, and not longer`()
      async
    {
      let clock = ContinuousClock()
      let start = clock.now
      await #expect(processExitsWith: .success) {
        // Each kind of call that has ended once adds its own wait to the end of the process.
        let vocabulary = try LlamaModel(path: TestAssets.model(), part: .vocabulary)
        _ = (vocabulary.tokenCount, vocabulary.beginningToken, vocabulary.piece(of: 1_000))
        let path = try TestAssets.model()
        let (begun, never) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
          _ = try? LlamaModel(path: path, part: .everything) { _ in
            begun.signal()
            never.wait()
            return true
          }
        }
        begun.wait()
        exit(0)
      }
      #expect(clock.now - start < .seconds(25))
    }
  }
#endif

#if LocalLlama
  import Dispatch
  import Foundation
  import HybridLocal
  import Testing

  /// What a process does at its end with the library's calls that are under way.
  struct ProcessEndTests {
    /// After ten seconds; each kind of call would wait as long anew, were the deadline not one.
    @Test(.timeLimit(.minutes(5)))
    func `a call that never ends holds the process up no longer than ten seconds`() async {
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
    }
  }
#endif

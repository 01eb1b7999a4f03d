import Foundation
import Synchronization

/// Runs `body` on a thread with a stack of 512 KiB, the size that secondary threads have on other
/// systems. An overflow ends the test process.
func withSmallStack<Result: Sendable>(
  kibibytes: Int = 512, _ body: @escaping @Sendable () -> Result
) -> Result? {
  let result = Mutex<Result?>(nil)
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    let value = body()
    result.withLock { $0 = value }
    done.signal()
  }
  thread.stackSize = kibibytes << 10
  thread.start()
  done.wait()
  return result.withLock { $0 }
}

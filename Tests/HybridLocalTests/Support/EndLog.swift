import HybridCore
import Synchronization

/// How runs ended, in order; nil for well.
final class EndLog: Sendable {
  private let entries = Mutex<[ErrorCode?]>([])

  func add(_ code: ErrorCode?) { entries.withLock { $0.append(code) } }

  var codes: [ErrorCode?] { entries.withLock { $0 } }
}

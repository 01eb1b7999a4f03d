internal import HybridCore
private import Synchronization

/// The tries of one side, as it reports them from its own threads.
final class AttemptLog: Sendable {
  private let attempts = Mutex<[Attempt]>([])

  func append(_ attempt: Attempt) {
    attempts.withLock { $0.append(attempt) }
  }

  /// Those added since the last call.
  func takeNew() -> [Attempt] {
    attempts.withLock { attempts in
      defer { attempts = [] }
      return attempts
    }
  }
}

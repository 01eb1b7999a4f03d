private import Synchronization

/// A key that is kept until the gateway refuses it, and fetched by one caller for all who wait.
final class KeyRefresher: Sendable {
  typealias Source = @Sendable (_ refused: Secret?) async throws -> Secret?

  private struct State {
    var key: Secret?
    /// Under way for everyone, so nobody's giving up ends it.
    var fetch: Task<Secret?, any Error>?
  }

  private let state = Mutex(State())
  private let source: Source

  init(_ source: @escaping Source) {
    self.source = source
  }

  /// - Parameter refused: the key that the gateway did not take; nil: none was sent yet. A newer one
  ///   that another caller has fetched meanwhile counts at once.
  func key(refused: Secret? = nil) async throws -> Secret? {
    let fetch: Task<Secret?, any Error>
    switch state.withLock({ next(&$0, refused) }) {
    case .kept(let key): return key
    case .fetching(let task): fetch = task
    }
    return try await fetch.value
  }

  private enum Next {
    case kept(Secret)
    case fetching(Task<Secret?, any Error>)
  }

  private func next(_ state: inout State, _ refused: Secret?) -> Next {
    if let key = state.key, key != refused { return .kept(key) }
    if let fetch = state.fetch { return .fetching(fetch) }
    let task = Task { [self] in
      do {
        // As it is sent, so that the one that comes back refused is known again.
        let key = try await source(refused).map { Secret(HeaderRules.trimmed($0.reveal())) }
        self.state.withLock { $0 = State(key: key) }
        return key
      } catch {
        self.state.withLock { $0.fetch = nil }
        throw error
      }
    }
    state.fetch = task
    return .fetching(task)
  }
}

package import HybridCore

/// Something that was found out, kept: for good, except a failure that may pass, which is kept only
/// until it is worth another try.
package struct Finding<Value: Sendable>: Sendable {
  private var result: Result<Value, HybridError>?
  private var backoff = LoadBackoff()

  /// When a failure will be worth another try; nil: never, or there is none.
  package private(set) var retry: Moment?

  package init() {}

  /// What was found; nil while nothing was.
  package var value: Value? { try? result?.get() }

  /// nil where it must be found out, again or for the first time.
  package func known(at now: Moment) -> Result<Value, HybridError>? {
    if let retry, retry <= now { return nil }
    return result
  }

  package mutating func record(_ result: Result<Value, HybridError>, at now: Moment) {
    self.result = result
    switch result {
    case .success:
      backoff.succeeded()
      retry = nil
    case .failure(let error): retry = backoff.failed(error.code, at: now)
    }
  }
}

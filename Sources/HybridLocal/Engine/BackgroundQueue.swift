private import Dispatch
package import HybridCore

/// Where blocking work of a few milliseconds goes: file headers, templates, tokenising.
///
/// One thing at a time, in order, and never on Swift's cooperative pool. A cancelled task waits no
/// longer, and what it asked for is left out if it has not begun.
package struct BackgroundQueue: Sendable {
  private let queue = DispatchQueue(label: "hybridkit.local.prepare")

  package init() {}

  /// - Throws: what `body` throws; `cancelled` at once when the task is cancelled.
  package func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws(HybridError) -> Value
  ) async throws(HybridError) -> Value {
    let result = OneShot<Value>()
    let isUnwanted = AbortFlag()
    queue.async {
      if isUnwanted.isRaised { return }
      result.set(Result { () throws(HybridError) in try body() })
    }
    defer { isUnwanted.raise() }
    return try await result.wait()
  }
}

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
    try await run { _ throws(HybridError) in try body() }
  }

  /// The same for work that takes longer: it is to look now and then whether anybody still waits for it.
  ///
  /// - Parameter body: given a flag that is raised once nobody does; what it returns then is dropped.
  package func run<Value: Sendable>(
    _ body: @escaping @Sendable (_ isUnwanted: AbortFlag) throws(HybridError) -> Value
  ) async throws(HybridError) -> Value {
    let result = OneShot<Value>()
    let isUnwanted = AbortFlag()
    queue.async {
      if isUnwanted.isRaised { return }
      result.set(Result { () throws(HybridError) in try body(isUnwanted) })
    }
    defer { isUnwanted.raise() }
    return try await result.wait()
  }
}

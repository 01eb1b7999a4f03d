private import Dispatch
package import HybridCore

/// Where blocking work of a few milliseconds goes: file headers, templates, tokenising.
///
/// One thing at a time, in order, and never on Swift's cooperative pool.
package struct BackgroundQueue: Sendable {
  private let queue = DispatchQueue(label: "hybridkit.local.prepare")

  package init() {}

  package func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws(HybridError) -> Value
  ) async throws(HybridError) -> Value {
    try await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: Result { () throws(HybridError) in try body() })
      }
    }.get()
  }
}

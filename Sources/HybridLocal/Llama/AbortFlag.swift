private import Synchronization

/// Somebody on another thread wants the work to stop. Reading it costs a nanosecond.
package final class AbortFlag: Sendable {
  private let raised = Atomic(false)

  package init() {}

  package var isRaised: Bool { raised.load(ordering: .relaxed) }

  package func raise() { raised.store(true, ordering: .relaxed) }

  package func lower() { raised.store(false, ordering: .relaxed) }
}

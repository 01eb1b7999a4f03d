public import HybridCore
private import Synchronization

/// A response's bytes, in the pieces in which they came, pulled one at a time by one consumer.
///
/// What is not pulled is not read from the network for long: the transport stops reading. Dropping
/// the body ends the exchange; so does cancelling the task that iterates, and then the iteration
/// throws `cancelled`.
public struct ResponseBody: AsyncSequence, Sendable {
  public typealias Element = [UInt8]
  public typealias Failure = HybridError

  private let exchange: Exchange

  /// - Parameters:
  ///   - next: the next bytes, never empty; nil after the last. Asked again only after it returned.
  ///   - cancel: ends the exchange at once, so that `next` returns or throws soon after; may be called
  ///     at any time, from any thread, more than once.
  ///   - finish: no more bytes are needed; the transport may read on for a moment so that the
  ///     connection can be used again. nil: the same as `cancel`.
  public init(
    next: @escaping @Sendable () async throws(HybridError) -> [UInt8]?,
    cancel: @escaping @Sendable () -> Void, finish: (@Sendable () -> Void)? = nil
  ) {
    exchange = Exchange(next: next, cancel: cancel, finish: finish)
  }

  /// Ends the exchange at once.
  public func cancel() {
    exchange.cancel()
  }

  /// Says that no more bytes are needed: the connection is kept if the rest comes soon.
  public func finish() {
    exchange.finish()
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(exchange: exchange)
  }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let exchange: Exchange

    public mutating func next(isolation: isolated (any Actor)? = #isolation)
      async throws(HybridError)
      -> [UInt8]?
    {
      try await exchange.next()
    }
  }

  /// Shared by the body and its iterators; the last one to go ends the exchange.
  fileprivate final class Exchange: Sendable {
    let next: @Sendable () async throws(HybridError) -> [UInt8]?
    let cancel: @Sendable () -> Void
    private let finishing: (@Sendable () -> Void)?
    private let isFinished = Atomic(false)

    init(
      next: @escaping @Sendable () async throws(HybridError) -> [UInt8]?,
      cancel: @escaping @Sendable () -> Void, finish: (@Sendable () -> Void)?
    ) {
      self.next = next
      self.cancel = cancel
      finishing = finish
    }

    func finish() {
      isFinished.store(true, ordering: .relaxed)
      if let finishing { finishing() } else { cancel() }
    }

    deinit {
      if !isFinished.load(ordering: .relaxed) { cancel() }
    }
  }
}

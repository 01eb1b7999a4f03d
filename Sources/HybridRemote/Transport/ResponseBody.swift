public import HybridCore

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
  public init(
    next: @escaping @Sendable () async throws(HybridError) -> [UInt8]?,
    cancel: @escaping @Sendable () -> Void
  ) {
    exchange = Exchange(next: next, cancel: cancel)
  }

  public func cancel() {
    exchange.cancel()
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

    init(
      next: @escaping @Sendable () async throws(HybridError) -> [UInt8]?,
      cancel: @escaping @Sendable () -> Void
    ) {
      self.next = next
      self.cancel = cancel
    }

    deinit {
      cancel()
    }
  }
}

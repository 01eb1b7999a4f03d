package import HybridCore

/// When a model that nobody uses is given up. Pure: somebody sleeps until the moment that it names,
/// and then asks again.
///
/// One watch waits at a time, however many requests come and go: it looks only when it is due, and
/// then waits for what is left since the last of them ended.
package struct IdleWatch: Sendable, Hashable {
  package enum Verdict: Sendable, Hashable {
    case wait(until: Moment)
    case giveUp
    /// The watch is over: the model is in use, or another watch has begun.
    case end
  }

  /// nil: it is never given up.
  package let limit: Duration?
  /// The watch that waits.
  private var current: Int?
  private var lastNumber = 0

  package init(limit: Duration?) {
    self.limit = limit
  }

  /// Nobody has used the model since then.
  ///
  /// - Returns: a watch that is to wait, and until when; nil where one waits already, or none need.
  package mutating func begin(idleSince: Moment) -> (watch: Int, until: Moment)? {
    guard let limit, current == nil else { return nil }
    lastNumber += 1
    current = lastNumber
    return (lastNumber, idleSince + limit)
  }

  /// A watch has waited.
  ///
  /// - Parameter idleSince: nil where the model is in use.
  package mutating func woke(_ watch: Int, idleSince: Moment?, at now: Moment) -> Verdict {
    guard let limit, watch == current else { return .end }
    if let idleSince, now < idleSince + limit { return .wait(until: idleSince + limit) }
    current = nil
    return idleSince == nil ? .end : .giveUp
  }

  /// The model has gone. A watch that waits has nothing more to say.
  package mutating func stop() {
    current = nil
  }
}

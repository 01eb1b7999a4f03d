internal import HybridCore

/// By when an answer must have begun, however many keep-alives come before it.
///
/// Up to the body's first byte the transport keeps this limit itself, a head that came included. After
/// it the transport minds only silence, and by a longer limit: a gateway that sends a comment and then
/// nothing, or comments for ever, is ended here.
struct FirstEventLimit: Sendable {
  let length: Duration
  let moment: Moment
  private let origin: String
  fileprivate let time: any TimeSource

  /// - Parameters:
  ///   - sent: when the request was handed to the transport. The limit runs from the connection's
  ///     being ready, which is after the connect limit at the latest, and before the present.
  init(sent: Moment, limits: TimeLimits, origin: String, time: any TimeSource) {
    length = limits.firstByte
    moment = min(time.now(), sent + limits.connect) + limits.firstByte
    self.origin = origin
    self.time = time
  }

  fileprivate var error: HybridError {
    HybridError(
      .timeoutFirstByte, "\(origin) sent only keep-alives for \(length.inSeconds) s",
      nextStep: "Check the gateway's load, or raise the first-byte limit", side: .remote)
  }
}

extension ResponseBody {
  /// The next bytes, by the moment of `limit` at the latest.
  ///
  /// - Parameter limit: nil: the transport's own limits are enough, and cost no timer.
  /// - Throws: `timeout.firstByte` past it.
  func next(by limit: FirstEventLimit?) async throws(HybridError) -> [UInt8]? {
    guard let limit else {
      var pieces = makeAsyncIterator()
      return try await pieces.next()
    }
    guard limit.time.now() < limit.moment else { throw limit.error }
    return try await withTimeBound(limit.moment, time: limit.time, timeout: limit.error) {
      () async throws(HybridError) in
      var pieces = makeAsyncIterator()
      return try await pieces.next()
    }
  }
}

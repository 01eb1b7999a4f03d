extension ErrorCode {
  /// The code of an HTTP status alone; a gateway's own error code may say more
  /// (`quotaExhausted` on 429, `contextLength` or `contentPolicy` on 400).
  ///
  /// - Returns: nil for a status that is no failure: below 300, or no status at all.
  public init?(httpStatus status: Int) {
    switch status {
    case 300...399: self = .redirectRefused
    case 401: self = .authentication
    case 402: self = .paymentRequired
    case 403: self = .permission
    case 404, 410: self = .notFound
    case 408: self = .requestTimeout
    case 409: self = .conflict
    case 413: self = .payloadTooLarge
    case 425: self = .tooEarly
    case 429: self = .rateLimited
    case 400...499: self = .invalidRequest
    case 503, 529: self = .overloaded
    case 500...599: self = .server
    default: return nil
    }
  }

  /// Every code that a status may turn out to mean, the usual one first. Empty where it is no
  /// failure.
  public static func codes(forHTTPStatus status: Int) -> [ErrorCode] {
    guard let usual = ErrorCode(httpStatus: status) else { return [] }
    return switch status {
    case 400: [usual, .contextLength, .contentPolicy]
    case 429: [usual, .quotaExhausted]
    case 500: [usual, .contextLength]
    default: [usual]
    }
  }
}

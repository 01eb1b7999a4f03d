/// What kind of failure it was. Open: a new code never breaks a caller's `switch`.
///
/// A dot separates a kind from its part: `timeout.firstByte`.
public struct ErrorCode: RawRepresentable, Sendable, Hashable, Codable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  // No side could run. `details.code` has the cause.
  public static let localRequired = ErrorCode(rawValue: "localRequired")
  public static let remoteUnavailable = ErrorCode(rawValue: "remoteUnavailable")
  public static let noSide = ErrorCode(rawValue: "noSide")

  // Either side.
  public static let invalidConfiguration = ErrorCode(rawValue: "invalidConfiguration")
  public static let invalidRequest = ErrorCode(rawValue: "invalidRequest")
  /// A file of the caller's (messages, policy) that cannot be read as what it should be.
  public static let invalidFile = ErrorCode(rawValue: "invalidFile")
  public static let deadlineExceeded = ErrorCode(rawValue: "deadlineExceeded")
  public static let cancelled = ErrorCode(rawValue: "cancelled")
  /// Output had been handed out when the side failed. `details.code` has the cause.
  public static let interrupted = ErrorCode(rawValue: "interrupted")
  /// A fault of HybridKit's own.
  public static let `internal` = ErrorCode(rawValue: "internal")

  // The local side.
  public static let modelNotFound = ErrorCode(rawValue: "modelNotFound")
  /// Not a model file, or a damaged or hostile one.
  public static let modelFileInvalid = ErrorCode(rawValue: "modelFileInvalid")
  /// A sound file that cannot serve chat here (an embedding model, an unknown architecture).
  public static let modelUnsupported = ErrorCode(rawValue: "modelUnsupported")
  public static let modelLoading = ErrorCode(rawValue: "modelLoading")
  public static let modelLoadFailed = ErrorCode(rawValue: "modelLoadFailed")
  public static let insufficientMemory = ErrorCode(rawValue: "insufficientMemory")
  public static let contextTooLong = ErrorCode(rawValue: "contextTooLong")
  public static let templateRejected = ErrorCode(rawValue: "templateRejected")
  public static let unsupportedFeature = ErrorCode(rawValue: "unsupportedFeature")
  public static let localBusy = ErrorCode(rawValue: "localBusy")
  public static let decodeFailed = ErrorCode(rawValue: "decodeFailed")
  public static let engineLost = ErrorCode(rawValue: "engineLost")

  // The gateway's answer.
  public static let noCredentials = ErrorCode(rawValue: "noCredentials")
  public static let authentication = ErrorCode(rawValue: "authentication")
  public static let permission = ErrorCode(rawValue: "permission")
  public static let notFound = ErrorCode(rawValue: "notFound")
  public static let contextLength = ErrorCode(rawValue: "contextLength")
  public static let contentPolicy = ErrorCode(rawValue: "contentPolicy")
  public static let payloadTooLarge = ErrorCode(rawValue: "payloadTooLarge")
  public static let rateLimited = ErrorCode(rawValue: "rateLimited")
  public static let quotaExhausted = ErrorCode(rawValue: "quotaExhausted")
  public static let paymentRequired = ErrorCode(rawValue: "paymentRequired")
  public static let conflict = ErrorCode(rawValue: "conflict")
  public static let requestTimeout = ErrorCode(rawValue: "requestTimeout")
  public static let tooEarly = ErrorCode(rawValue: "tooEarly")
  public static let server = ErrorCode(rawValue: "server")
  public static let overloaded = ErrorCode(rawValue: "overloaded")
  public static let redirectRefused = ErrorCode(rawValue: "redirectRefused")

  // The way to the gateway.
  public static let timeoutConnect = ErrorCode(rawValue: "timeout.connect")
  public static let timeoutFirstByte = ErrorCode(rawValue: "timeout.firstByte")
  public static let timeoutIdle = ErrorCode(rawValue: "timeout.idle")
  public static let timeoutTotal = ErrorCode(rawValue: "timeout.total")
  public static let connectionDNS = ErrorCode(rawValue: "connection.dns")
  public static let connectionRefused = ErrorCode(rawValue: "connection.refused")
  public static let connectionUnreachable = ErrorCode(rawValue: "connection.unreachable")
  public static let connectionReset = ErrorCode(rawValue: "connection.reset")
  public static let connectionProxy = ErrorCode(rawValue: "connection.proxy")
  public static let tls = ErrorCode(rawValue: "tls")
  public static let badEventStream = ErrorCode(rawValue: "protocol.badEventStream")
  public static let badJSON = ErrorCode(rawValue: "protocol.badJSON")
  public static let truncated = ErrorCode(rawValue: "protocol.truncated")
  public static let tooLarge = ErrorCode(rawValue: "protocol.tooLarge")
  public static let wrongContentType = ErrorCode(rawValue: "protocol.wrongContentType")
  /// The peer speaks another protocol than HTTP.
  public static let notHTTP = ErrorCode(rawValue: "protocol.notHTTP")
  /// Not tried: the circuit breaker is open, or a cool-down has not ended. Then `details.code` has
  /// what the gateway answered.
  public static let breakerOpen = ErrorCode(rawValue: "breakerOpen")

  /// True for those that say what came of another failure, which stands in the error's details.
  public var isWrapper: Bool {
    switch self {
    case .localRequired, .remoteUnavailable, .noSide, .interrupted, .breakerOpen: true
    default: false
    }
  }
}

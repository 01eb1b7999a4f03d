internal import HybridCore
internal import HybridRouting

/// Which error ends the process with which code. Each row has its test.
extension ExitCode {
  init(_ error: HybridError) {
    if let kind = error.noSideKind {
      self = Self.of(kind)
      return
    }
    // What wraps another error ends as the cause does.
    let wrappers: Set<ErrorCode> = [.noSide, .localRequired, .remoteUnavailable, .interrupted]
    let code = wrappers.contains(error.code) ? error.causeCode : error.code
    self = Self.table[code] ?? (wrappers.contains(error.code) ? .unavailable : .failure)
  }

  private static func of(_ kind: NoSideKind) -> ExitCode {
    switch kind {
    case .preferenceConflict: .configuration
    case .contextTooLong: .badData
    case .temporary: .temporary
    case .unavailable: .unavailable
    }
  }

  static let table: [ErrorCode: ExitCode] = [
    .usage: .usage,

    .invalidRequest: .badData,
    .invalidFile: .badData,
    .invalidText: .badData,
    .contextTooLong: .badData,
    .contextLength: .badData,
    .payloadTooLarge: .badData,
    .templateRejected: .badData,

    .modelNotFound: .unavailable,
    .modelFileInvalid: .unavailable,
    .modelUnsupported: .unavailable,
    .modelLoadFailed: .unavailable,
    .insufficientMemory: .unavailable,
    .unsupportedFeature: .unavailable,
    .notFound: .unavailable,
    .paymentRequired: .unavailable,
    .quotaExhausted: .unavailable,
    .server: .unavailable,
    .redirectRefused: .unavailable,
    .timeoutConnect: .unavailable,
    .timeoutFirstByte: .unavailable,
    .timeoutIdle: .unavailable,
    .timeoutTotal: .unavailable,
    .connectionDNS: .unavailable,
    .connectionRefused: .unavailable,
    .connectionUnreachable: .unavailable,
    .connectionReset: .unavailable,
    .connectionProxy: .unavailable,
    .tls: .unavailable,
    .badEventStream: .unavailable,
    .badJSON: .unavailable,
    .truncated: .unavailable,
    .tooLarge: .unavailable,
    .wrongContentType: .unavailable,
    .notHTTP: .unavailable,

    .modelLoading: .temporary,
    .localBusy: .temporary,
    .rateLimited: .temporary,
    .overloaded: .temporary,
    .conflict: .temporary,
    .requestTimeout: .temporary,
    .tooEarly: .temporary,
    .breakerOpen: .temporary,

    .noCredentials: .credentials,
    .authentication: .credentials,
    .permission: .credentials,

    .invalidConfiguration: .configuration,
    .deadlineExceeded: .deadline,
    .cancelled: .interrupted,
    .outputClosed: .outputClosed,

    .contentPolicy: .failure,
    .outputFailed: .failure,
    .decodeFailed: .internal,
    .engineLost: .internal,
    .internal: .internal,
  ]
}

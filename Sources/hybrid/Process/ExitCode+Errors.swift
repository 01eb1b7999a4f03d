internal import HybridCore
internal import HybridLocal
internal import HybridRouting

/// Which error ends the process with which code. Each row has its test.
extension ExitCode {
  init(_ error: HybridError) {
    if let kind = error.noSideKind {
      self = Self.of(kind)
      return
    }
    // What wraps another error ends as the cause does.
    self =
      Self.table[error.causeCode] ?? Self.table[error.code]
      ?? (error.code.isWrapper ? .unavailable : .failure)
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

    .modelNotFound: .unusableModel,
    .modelFileInvalid: .unusableModel,
    .modelUnsupported: .unusableModel,
    .modelLoadFailed: .unusableModel,
    .insufficientMemory: .unavailable,
    .insufficientDiskSpace: .unavailable,
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

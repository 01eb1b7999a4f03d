import HybridCore

/// The checks, in the order in which they are asked. The first that excludes the preferred side is
/// the reason that a request moved.
enum Ladder {
  static let checks: [Check] = [
    // Absolute: no other check can undo them.
    .preference,
    .privacy,
    .killSwitch,
    // Can the local side take it?
    .noLocalModel,
    .modelNotStandIn,
    .modelLoading,
    .modelFailed,
    .unsupportedFeature,
    .unknownTool,
    .templateRejected,
    .contextTooLong,
    .insufficientMemory,
    .localBusy,
    // Can the remote side take it?
    .noGateway,
    .noCredentials,
    .unsupportedByGateway,
    .rateLimited,
    .remoteOffline,
    .breakerOpen,
  ]

  static func check(for code: ReasonCode) -> Check? {
    checks.first { $0.code == code }
  }
}

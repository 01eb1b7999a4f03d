internal import HybridCore
internal import HybridKit
internal import HybridRouting

/// Everything that answers, put together from options and environment.
struct ChatSetup: Sendable {
  let chat: HybridChat
  private let local: LocalSetup?

  /// - Throws: `usage`, `invalidConfiguration`, `modelNotFound`: what keeps it from being put together.
  init(_ invocation: Invocation, for request: RequestOptions) throws(HybridError) {
    let arguments = invocation.arguments
    var policy = try arguments.filled(.policy).map(PolicyFile.read) ?? RoutingPolicy()
    let standIns = try arguments.filledValues(.standIn)
    if !standIns.isEmpty { policy.localStandIns = standIns }
    try request.mustFit(policy)

    local = try LocalSetup.of(arguments, invocation.environment)
    let gateway = try GatewaySetup.of(
      arguments, invocation.environment, failures: policy.failures)
    chat = HybridChat(
      local: local?.side, gateway: gateway?.client, gatewayModel: gateway?.model, policy: policy)
  }

  func close() async {
    await local?.close()
  }

  /// The error with what is wrong with the model file, where a plan only says that something is.
  func detailed(_ error: HybridError) -> HybridError {
    let reason = error.details[Side.local.rawValue]?["code"]?.string
    guard error.noSideKind != nil, reason == ReasonCode.modelFailed.rawValue,
      let problem = local?.choice.problem
    else { return error }
    var error = error
    error.message += "; \(problem.message)"
    error.nextStep = problem.nextStep
    error.details["model"] = problem.json
    return error
  }
}

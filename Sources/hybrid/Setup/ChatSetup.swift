internal import HybridCore
internal import HybridKit
internal import HybridLocal
internal import HybridRouting

/// Everything that answers, put together from options and environment.
struct ChatSetup: Sendable {
  let chat: HybridChat
  private let local: LocalSetup?
  /// The user may believe that a local model could answer, and this build has no engine.
  private let lacksEngine: Bool

  /// - Throws: `usage`, `invalidConfiguration`, `modelNotFound`: what keeps it from being put together.
  init(_ invocation: Invocation, for request: RequestOptions) throws(HybridError) {
    let arguments = invocation.arguments
    var policy = try arguments.filled(.policy).map(PolicyFile.read) ?? RoutingPolicy()
    let standIns = try arguments.filledValues(.standIn)
    if !standIns.isEmpty { policy.localStandIns = standIns }
    try request.mustFit(policy)

    local = try LocalSetup.of(arguments, invocation.environment)
    lacksEngine = !LocalSetup.isBuiltIn && !arguments.has(.noLocal)
    let gateway = try GatewaySetup.of(
      arguments, invocation.environment, failures: policy.failures)
    chat = HybridChat(local: local?.side, gateway: gateway, policy: policy)
  }

  func close() async {
    await local?.close()
  }

  /// What tuning the threads came to, where the model was loaded.
  var tuning: AutoTuneResult? { local?.tuning }

  /// Whether a tuned copy was loaded, where one was asked for and the model was loaded.
  var tunedCopy: TunedCopyChoice? { local?.tunedCopy }

  /// What is wrong with the model, where the sentences of `plan` only say that something is.
  func modelProblem(_ plan: RoutingPlan) -> HybridError? {
    guard let reason = plan.reason(against: .local) else { return nil }
    // No model file would help.
    if reason.code == .noLocalModel, lacksEngine { return LocalSetup.engineProblem }
    guard reason.code == .modelFailed, let code = reason.details["code"]?.string,
      let problem = reason.details["problem"],
      let message = problem["message"]?.string
    else { return nil }
    return HybridError(
      ErrorCode(rawValue: code), message, nextStep: problem["nextStep"]?.string,
      details: problem["details"]?.object ?? [:], side: .local)
  }

  /// The error of a plan without a side, with what is wrong with the model file where that is why.
  func detailed(_ error: HybridError, _ plan: RoutingPlan) -> HybridError {
    guard error.noSideKind != nil, let problem = modelProblem(plan) else { return error }
    var error = error
    if !error.message.contains(problem.message) { error.message += "; \(problem.message)" }
    error.nextStep = problem.nextStep
    error.details["model"] = problem.json
    return error
  }
}
